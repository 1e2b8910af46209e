"""Check and submit bots: a folder comes in; findings for its author, or a new version, go out.

finding           the result of one check: a sentence for the author and what to do
advice            what an author can do about a bot that fails
second_look       start such a bot once more, to see what it does beyond its time
self_play         a bot against itself at each table size: what fails, and where
tryout            practice matches of one bot, in which its time and memory are measured
check             `ladder check`: all findings, and nothing is kept
submission        what is submitted, and how; its files and manifest while it is open
submit            read the manifest, copy, build, play against itself, keep a version; or refuse
batch             a class at once: checks run in parallel, and each submission gets an answer
author_page       the page with that answer, for the author
inbox             `ladder inbox`: what people put into folders is taken in, and answered
wishes, grants    small files there that ask for a change, and what comes of them
errands           what takes long there: duels, pages after a run
house             house bots come in by the same door
borrow            a bot at a path that plays once: it is never a version

A bot is tried before it becomes a version, because versions stay: a bot that cannot play would stand
in every list.  A trial that the machine has spoilt refuses nothing; the submission is then not judged.
"""
