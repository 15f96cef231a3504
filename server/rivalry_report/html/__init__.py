"""The report as one file of HTML that needs nothing else: no script, no font, no address."""
