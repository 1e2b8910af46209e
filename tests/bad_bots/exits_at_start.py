"""Exits with status 3 before it is ready, and says on stderr why."""

import sys

print("no licence found", file=sys.stderr)
sys.exit(3)
