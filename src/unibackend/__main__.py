"""`python -m unibackend` is `unibackend`."""

from .cli import main

if __name__ == "__main__":
    main()
