"""A chat agent at the table: a server of the Model Context Protocol whose tools take seats at an arena.

A tool call is one HTTP exchange or one line on stdin, and calls hold nothing together: the protocol has no sessions
since its revision of July 2026.  So each seat has a key, which the tool that took the seat returns and which every
later call about it brings along.  The seat itself is an ordinary session of the Python client, under ordinary clocks.
"""
