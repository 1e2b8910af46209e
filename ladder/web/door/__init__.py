"""What `ladder serve --uploads` answers to programs: uploads, their states, results, all below `api/v1/`.

api       which address answers what, one line each
results_api  what anybody may read; openapi: the description of all addresses
uploads_api  what a person hands in, wishes and asks; upload_client: what `ladder push` sends it
door      who sends a request, and how many one may send
problems  errors as JSON (RFC 9457)
"""
