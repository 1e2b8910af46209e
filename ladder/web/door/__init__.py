"""What `ladder serve --uploads` answers to programs: uploads, their states, results, all below `api/v1/`.

api          all addresses, and their description
results_api  what anybody may read
uploads_api  what a person hands in, wishes and asks; upload_client: what `ladder push` sends it
remote_seats  bots on other machines
door         who sends a request, limits of requests, and errors as JSON
"""
