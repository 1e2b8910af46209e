"""What is played: the blocks of a contest, the keys of its random choices, the ranks of the seats."""
