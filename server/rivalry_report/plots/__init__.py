"""The plots of a report, drawn by matplotlib without its global state: each a function from figures to a drawing."""
