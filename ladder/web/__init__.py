"""What a browser shows.

pages   what HTML pages share: templates, style, scripts, charts, the replay viewer
site    `ladder site`: a folder of pages to publish
serve   `ladder serve`: the same pages, live, and seats for people

Each imports only those above it.  Templates are named by their paths in this folder.
"""
