"""The compiled build: the modules of rules, referee and fits that pyproject.toml lists, as machine code.

hook             is called while a wheel is built: it decides whether to compile, and records what came of it
compile_modules  typed Python to C by mypyc, C to one library by the C compiler, in a process of its own

ladder/machine/build.py reads what the hook recorded.  Without a C compiler, or where compiling fails or takes
too long, the wheel has the sources alone, and the ladder runs as they are, with the same results to the last
bit.  "The compiled build" in ladder/dev/benchmark/README.md is for people who install the ladder.
"""
