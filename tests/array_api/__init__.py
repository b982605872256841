"""The public test suite of the array API standard, run over the namespaces of the backends."""
