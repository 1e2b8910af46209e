"""A process that plays blocks: chunks of blocks come in over a pipe, records go out."""
