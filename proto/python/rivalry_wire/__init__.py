"""Engine values to messages and back, game by game; no I/O."""
