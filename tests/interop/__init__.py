"""Other libraries with the arrays of this one."""
