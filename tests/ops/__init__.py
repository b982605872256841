"""The operations, held against exact or wide results on every backend."""
