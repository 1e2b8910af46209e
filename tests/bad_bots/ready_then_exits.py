"""Is ready, and exits with status 0 at once."""

from manners import shake_hands

shake_hands()
