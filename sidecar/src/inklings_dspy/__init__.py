"""The process that runs and optimizes DSPy programs; the app talks to it over its standard streams.

| module | what it does |
|---|---|
| `__main__` | takes the standard streams before anything can print to them, then starts the server |
| `transport` | lines in, lines out |
| `protocol` | JSON-RPC 2.0 over lines: constants, errors, the shapes of messages |
| `messages` | the types of the protocol, generated |
| `peer` | requests to the app, and cancellation of jobs |
| `server` | answers the app's requests, each job in a thread |
| `engine` | dspy's language model, answered by the app; the only module that uses lm15 |
| `signature` | parses signatures into classes without evaluating them |
| `state` | loads untrusted compiled states and writes them |
| `session` | scores and tools for the program of a job |
| `execute`, `optimize` | the two kinds of jobs |
| `programs` | the templates, one per module |
| `guard` | blocks network, processes and writing files |

Deliberately absent: configuration, environment variables, files, the network, pickles.
"""
