"""The pages of a home, live, and seats for people: `ladder serve`.

  server   listen on an address, until Ctrl-C
  app      which address shows what
  public_address  the URL under which a proxy shows it
  guard    who may ask: hosts, origins, sizes; what browsers are told
  connections  how many there are and whose, and which must go; visitors: who a request comes from
  hosted_matches  the matches that people play here
  edition  the pages of `ladder site`, made when a browser asks for them, again once results have changed
  play_page  what a person can choose, and what people have played

Starlette and uvicorn are an extra: `pip install '.[web]'`.  Here and in `door` alone there is asyncio.
"""
