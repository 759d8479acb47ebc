"""The command line: `hallowstream`. Heavy imports happen inside commands."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script."""
    try:
        from services.cli.app import app

        app(prog_name="hallowstream")
    except ImportError as error:
        from services import names

        taken = names.foreign()
        if not taken:
            raise
        sys.exit(f"error: {'; '.join(taken)} ({error})\n next: {names.FIX}")
