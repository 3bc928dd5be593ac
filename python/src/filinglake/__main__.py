"""`python -m filinglake`: the command."""

import sys

from .command import main

sys.exit(main())
