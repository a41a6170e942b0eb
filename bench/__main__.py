"""`python -m bench`: the project's standard measurement. Passes its arguments on to
`bench.load`."""

import sys

from bench.load.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
