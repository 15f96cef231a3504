"""Messages of its own for the auction."""
