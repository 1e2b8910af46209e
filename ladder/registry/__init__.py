"""Keep the submitted bots: folders and manifests come in, immutable versions go out."""
