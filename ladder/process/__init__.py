"""One bot as a process: a confined command comes in, lines and what the process used go out."""
