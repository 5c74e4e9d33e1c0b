//! Arguments of `inklings registry`.

mod client;
mod publish;

use clap::Subcommand;

pub(crate) use client::{
    AddRegistryArgs, ClientCommand, InstallSkillArgs, MarketplaceSearchArgs, OfferArgs, SetRegistryArgs, UpdateInstalledArgs,
};
pub(crate) use publish::{InitRegistryArgs, KeyArgs, KeyRoleArg, PublishArgs, PublishCommand, ReleaseArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    #[command(flatten)]
    Client(ClientCommand),
    #[command(flatten)]
    Publish(PublishCommand),
}
