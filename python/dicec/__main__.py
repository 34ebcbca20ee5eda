"""``python -m dicec``: the command ``dicec``, with all of its commands and flags."""

import signal
import sys

from ._dicec import command


def main() -> int:
    """Run the command with the words of the command line."""
    # The command handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["dicec", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
