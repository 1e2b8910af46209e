"""What the ladder takes from this machine: its installation, cores, a pool of processes, logs."""
