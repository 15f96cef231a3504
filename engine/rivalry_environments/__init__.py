"""The games of rivalry as environments for learning: PettingZoo and OpenSpiel.  Start at ``README.md``."""
