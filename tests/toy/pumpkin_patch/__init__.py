"""A toy game: who picks the most pumpkins without all picking from the same row."""
