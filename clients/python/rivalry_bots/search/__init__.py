"""``search``: plays any game that can imagine states, by trying its choices out in states that it may be in.

``bot`` is the bot, ``halving`` how it spends its time at the root, ``tree`` the tree below it, ``guide`` what a game
may tell it: which actions to look at, how playouts go on, where they stop and what a state is worth there.
"""
