"""Hears hello and says nothing."""

from manners import hear, wait

hear()
wait()
