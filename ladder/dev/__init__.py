"""What looks at the ladder itself: how fast it is, what attacks it withstands, how it was built.

benchmark  `ladder bench`: speed, beside other programs and as ratios
hostile    `ladder selftest`: bots that attack the referee, and runs that are killed
doctor     `ladder doctor`: what this machine offers
compiler   modules to machine code, when the ladder is built; nothing here imports it

No run needs any of them.
"""
