"""The edge: HTTP and WebSocket, bots, settings, logging and the command line."""
