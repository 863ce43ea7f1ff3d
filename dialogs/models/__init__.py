"""Chat models behind one protocol, `ChatModel`: real ones, scripted ones, recorded ones."""
