"""`python -m bench`: the project's standard measurement, which is `bench.load`'s; its arguments are
passed on."""

import sys

from bench.load.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
