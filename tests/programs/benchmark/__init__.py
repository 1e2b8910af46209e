"""What `tests/programs/bench.py` measures beside the figures of `ladder bench`.

rule_speed        the engines alone, by their states
page_speed        the pages of matches that a site writes
confinement_cost  what a sandbox and suspending between turns cost
crowds            runs of many bots, and of bots that wait
peers             other libraries and runners on comparable work
store_speed       a home with very many recorded matches
fit_speed         the fit of the skills in large ladders
"""
