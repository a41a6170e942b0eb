"""What `clocktowers-server bench` measures unless told otherwise; its arguments are passed on."""

import sys

from server.__main__ import main

if __name__ == "__main__":
    sys.exit(main(["bench", *sys.argv[1:]]))
