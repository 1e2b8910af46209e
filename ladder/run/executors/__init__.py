"""Run workers on this machine or a cluster: chunks of blocks come in; results go out, in any order."""
