"""Run one bot as a process: a confined command comes in, its lines and resource use go out."""
