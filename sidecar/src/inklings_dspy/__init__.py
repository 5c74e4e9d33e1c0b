"""The process that runs and optimises DSPy programs; the app talks to it over its standard streams.

| module | what it does |
|---|---|
| `__main__` | takes the standard streams before anything can print to them, then starts the server |
| `transport` | lines in, lines out |
| `protocol` | JSON-RPC 2.0 over lines: constants, errors, the shapes of messages |
| `messages` | the types of the protocol, generated |
| `peer` | questions to the app: who waits for which answer, and how a job is stopped |
| `server` | answers the app's requests, each job in a thread |
| `engine` | dspy's language model whose answers come from the app; the one place that knows lm15 |
| `signature` | the text of a signature becomes a class, without ever evaluating it |
| `state` | what an untrusted blob may change of a program, and what is written into one |
| `session` | what a job's program reaches outside: scores, tools |
| `execute`, `optimize` | the two kinds of jobs |
| `programs` | the templates, one a module |
| `guard` | refuses network, processes and writing files |

Deliberately absent: configuration, environment variables, files, the network, pickles.
"""
