"""The command line: `hallowstream`. Heavy imports happen inside commands."""

from __future__ import annotations


def main() -> None:
    """The console script."""
    from services.cli.app import app

    app(prog_name="hallowstream")
