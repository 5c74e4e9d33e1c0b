//! Arguments of `inklings registry`.

mod publish;

use clap::Subcommand;

pub(crate) use publish::{InitRegistryArgs, KeyArgs, PublishArgs, PublishCommand, ReleaseArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    #[command(flatten)]
    Publish(PublishCommand),
}
