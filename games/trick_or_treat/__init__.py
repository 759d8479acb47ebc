"""Trick or Treat: gather Treats, turn them in at Home for Sets, mind the Bully."""
