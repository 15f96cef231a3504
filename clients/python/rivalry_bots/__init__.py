"""The bots that come with the arena: plain ones, one that plays Ethnos well, and ones that misbehave on purpose."""
