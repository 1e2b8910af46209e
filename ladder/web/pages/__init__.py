"""What all HTML pages share: the templates, the style sheet, the script, and what a browser may load.

  environment  render a template: every value is escaped
  as_html      a document as HTML; figures, bot_marks: the small pictures in it
  frame        what stands around the content of a page: tabs, search, footer
  assets       the style sheets and scripts, and the Content-Security-Policy of a page
  viewer       the replay viewer: a match as a page, or as a block of a page
  viewer_data  what it steps through: each shape once, frames as differences
  step_charts  what stands below it: charts over the steps
  file         write a page whole or not at all
  member_pages feedback for authors, also after a run

A page loads nothing that is not ours, and shows what bots say as text.
"""
