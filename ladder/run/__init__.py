"""One `ladder run`: a request comes in, a stored and rated run goes out."""
