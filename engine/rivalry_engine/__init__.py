"""Rules of games as pure state machines: no I/O, no clock, no chance that a seed does not settle."""
