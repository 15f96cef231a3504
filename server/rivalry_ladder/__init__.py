"""The ladder: rated matches without an end, among bots that come and go."""
