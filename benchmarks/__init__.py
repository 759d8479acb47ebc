"""Ratios against peers, both sides in one run, interleaved, medians of several rounds."""
