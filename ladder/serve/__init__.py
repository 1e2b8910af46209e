"""The pages of a home, live, and seats for people: `ladder serve`.

  server   listen on an address, until Ctrl-C
  app      which address shows what
  guard    who may ask: hosts, origins, sizes; what browsers are told
  tables   the matches that people play here
  follow   notice that results have changed
  standings    what the first page shows

Starlette and uvicorn are an extra: `pip install 'botladder[serve]'`.  Here alone there is asyncio.
"""
