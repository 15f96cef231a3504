"""Tournaments: a schedule in which luck and seats cancel, its check, and the run of it."""
