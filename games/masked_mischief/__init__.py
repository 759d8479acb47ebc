"""Masked Mischief: The Candy Heist, for 2 to 6 players."""
