"""`ladder site`: a folder of HTML pages that shows a home and can be put on any web server.

site_options  what is shown: to the public, or to those who run the ladder
facts         everything the pages need, read from the home once
format        the rows of the pages' tables
pages         each page, as its path and its text; match_pages: which matches get one
folder        write a folder so that a web server never sees half of it
site          all of it
"""
