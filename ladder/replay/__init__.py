"""Replay stored matches: records come in; their moves as text, or contradictions, go out."""
