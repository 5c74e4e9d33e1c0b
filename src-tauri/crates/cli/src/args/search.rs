//! Arguments of `inklings search`.

use clap::Args as ClapArgs;

use super::help::examples;

#[derive(Debug, ClapArgs)]
#[command(after_help = examples(&[
    "inklings search write the release notes",
    "inklings search --explain which links lead nowhere",
    "inklings search --json - < queries.txt",
]))]
pub(crate) struct SearchArgs {
    /// What you would ask an agent; `-` reads queries from standard input, one a line
    #[arg(required = true)]
    pub(crate) message: Vec<String>,
    /// Show how each score is computed, and which skills were excluded
    #[arg(long)]
    pub(crate) explain: bool,
    /// Maximum number of skills
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) limit: u8,
}
