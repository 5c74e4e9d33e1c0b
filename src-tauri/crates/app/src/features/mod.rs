//! The operations by family: a folder holds those whose names begin with its own.
//!
//! `api` has the params and results, `service` the use cases over the ports that they need, `error` their errors and the map to
//! [`Failure`](inklings_rpc::Failure), `operations` the family's table. Operations don't call operations: what they share is in a service.
//! `tests/it/layout.rs` checks this.

pub mod action;
pub mod agent;
pub mod app;
pub mod artifact;
pub mod catalog;
pub mod chat;
pub mod check;
pub mod client;
pub mod compare;
pub mod db;
pub mod draft;
pub mod eval;
pub mod file;
pub mod fork;
pub mod import;
pub mod input;
pub mod kit;
pub mod library;
pub mod link;
pub mod log;
pub mod manifest;
pub mod marketplace;
pub mod model;
pub mod note;
pub mod optimize;
pub mod page;
pub mod path;
pub mod program;
pub mod prompt;
pub mod proposal;
pub mod publish;
pub mod reference;
pub mod registry;
pub mod resource;
pub mod run;
pub mod script;
pub mod search;
pub mod server;
pub mod settings;
pub mod skill;
pub mod symbol;
pub mod target;
pub mod text;
pub mod token;
pub mod tool;
pub mod trace;
pub mod workspace;
