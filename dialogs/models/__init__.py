"""Chat models behind one protocol: real ones, scripted ones, recorded ones.

ChatModel           what all of them are: `complete(Request) -> Reply`
open_model          a model from a name, `fake:FILE` or `cassette:FILE`
ask_for             a reply that is validated JSON
"""
