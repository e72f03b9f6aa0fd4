"""``python -m skpara`` is the ``skpara`` command."""

import sys

from skpara.cli import main

if __name__ == "__main__":
    sys.exit(main())
