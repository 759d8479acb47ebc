"""Pure rules: the kernel that all games share, and one package per game."""
