"""Ghosts Love Candy Too: haunt kids for their candy, and try not to scare them."""
