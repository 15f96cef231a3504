"""Who meets whom, a module for each kind of tournament."""
