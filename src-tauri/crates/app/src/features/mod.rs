//! The operations by family: a folder holds those whose names begin with its own.
//!
//! `api` has parameters and results, `service` the use cases over the ports that they need, `operations` what a call comes in by.
//! Operations never call operations: what two families do is in a service.

pub mod app;
pub mod check;
pub mod compare;
pub mod db;
pub mod input;
pub mod library;
pub mod log;
pub mod model;
pub mod optimize;
pub mod page;
pub mod program;
pub mod prompt;
pub mod proposal;
pub mod reference;
pub mod run;
pub mod script;
pub mod settings;
pub mod symbol;
pub mod text;
pub mod trace;
pub mod workspace;
