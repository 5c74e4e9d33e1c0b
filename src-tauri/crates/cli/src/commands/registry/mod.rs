//! `inklings registry`

mod client;
mod publish;
mod registries;

use crate::args::RegistryCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

pub(crate) async fn run(session: &Session, command: RegistryCommand, out: &Out) -> Result<(), CliError> {
    match command {
        RegistryCommand::Client(command) => client::run(session, command, out).await,
        RegistryCommand::Publish(command) => publish::run(session, command, out).await,
    }
}
