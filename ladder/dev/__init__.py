"""What looks at the ladder itself: how fast it is, what attacks it withstands, how it was built.

benchmark  `ladder bench`: speed, as ratios of one run, because machines differ
hostile    `ladder selftest`: bots that attack the referee
doctor     `ladder doctor`: what this machine offers, and what is missing
compiler   modules to machine code, when the ladder is built; nothing imports it, and no wheel has it

No run needs any of them.  They play by the same workers and the same referee as a run does, so that what they
find holds for runs.
"""
