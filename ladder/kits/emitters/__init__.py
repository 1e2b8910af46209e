"""The types of a view in each language: one module a language, with a function `emit`."""
