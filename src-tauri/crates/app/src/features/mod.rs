//! The operations by family: a folder holds those whose names begin with its own.
//!
//! `api` has parameters and results, `service` the use cases over the ports that they need, `error` their refusals and what a
//! caller is told of them, `operations` the family's rows of the registry. Operations never call operations: what families share is a
//! service.

pub mod app;
pub mod artifact;
pub mod check;
pub mod compare;
pub mod db;
pub mod draft;
pub mod file;
pub mod import;
pub mod input;
pub mod library;
pub mod log;
pub mod model;
pub mod optimize;
pub mod page;
pub mod path;
pub mod program;
pub mod prompt;
pub mod proposal;
pub mod reference;
pub mod run;
pub mod script;
pub mod settings;
pub mod skill;
pub mod symbol;
pub mod target;
pub mod text;
pub mod trace;
pub mod workspace;
