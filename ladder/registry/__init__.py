"""The bots that were submitted: folders and manifests come in, immutable versions go out."""
