//! Python scripts in a WebAssembly sandbox.
