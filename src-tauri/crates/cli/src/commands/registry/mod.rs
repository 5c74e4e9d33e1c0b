//! `inklings registry`

mod publish;

use crate::args::RegistryCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

pub(crate) async fn run(session: &Session, command: RegistryCommand, out: &Out) -> Result<(), CliError> {
    match command {
        RegistryCommand::Publish(command) => publish::run(session, command, out).await,
    }
}
