"""Tricks and Treats: whose Basket is whose, and who dares to say so."""
