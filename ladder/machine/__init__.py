"""What the ladder takes from this machine: its installation, cores, a pool of processes, logs.

installation, build   the version and the place of the sources; compiled or interpreted, and why
user_home             the home folder of the user, if there is one
cores, capacity       which cores may be used; how many processes memory and descriptors allow
resting               how often that is done again which takes long
pool                  tasks for several processes: verify, submissions, the site, fits of several games
interrupts, exits     start processes that Ctrl-C does not reach; say how one has ended
without_pandas        pyarrow finds no pandas: it would load it, and no command needs it
arguments             what callers in Python give, read by its types
logs, unexpected      records of all processes in one stream; one line for an error, details in a file
plugged_in            errors in games of other packages, by their names
toml                  read a file that may be hostile, within bounds of size, depth and time

Values of the machine (cores, memory, load) decide how fast a run is, never what it plays.
"""
