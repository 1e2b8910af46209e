"""What a browser shows.

pages   what HTML pages share: templates, style, scripts, charts, the replay viewer
site    `ladder site`: a folder of pages to publish
serve   `ladder serve`: the same pages, live, and seats for people
door    what `ladder serve --uploads` answers to programs

Each imports only those above it.  Templates are named by their paths in this folder.  Every value in them is
escaped, scripts and styles are files of ours, and the policy of the pages forbids all others: what bots write
is text and never markup.  The numbers come from results.reports, the views from ladder.replay, so that a page
and a command never differ.
"""
