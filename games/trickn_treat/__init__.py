"""Trick'n Treat: a trick-taking game of candy and ghosts for three to five."""
