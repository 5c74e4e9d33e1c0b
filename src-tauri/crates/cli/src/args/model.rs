//! Arguments of `inklings model`.

use clap::Subcommand;
use inklings_core::model::Price;
use inklings_core::provider::ProviderKind;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Set a provider up, or change it. The first model of the first provider becomes the default.
    Add {
        /// A name for it: small letters, digits and hyphens.
        name: String,
        /// What it is: anthropic, openai, gemini, mistral, openrouter, ollama, llamacpp, lmstudio, openai-compatible.
        #[arg(long)]
        kind: ProviderKind,
        /// Where it is; the usual place of its kind without it.
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// A model to offer. More than one may be given.
        #[arg(long = "model", value_name = "ID")]
        models: Vec<String>,
        /// A model's price in USD for a million tokens: MODEL=READ,WRITTEN. More than one may be given.
        #[arg(long = "price", value_name = "MODEL=IN,OUT", value_parser = price)]
        prices: Vec<(String, Price)>,
        /// Environment variable that holds the key.
        #[arg(long, value_name = "VAR", conflicts_with_all = ["key", "no_key"])]
        key_env: Option<String>,
        /// Read the key from standard input and store it.
        #[arg(long, conflicts_with = "no_key")]
        key: bool,
        /// It needs no key.
        #[arg(long)]
        no_key: bool,
        /// Seconds until its first byte, and between two pieces of an answer.
        #[arg(long, value_name = "SECONDS")]
        timeout: Option<u32>,
    },
    /// Choose the model to use when none is asked for: provider/model, or a provider with its first model.
    Default {
        /// Which.
        model: String,
    },
    /// List the providers that are set up.
    List {
        /// Ask each for its models.
        #[arg(long)]
        offered: bool,
    },
    /// Look for model servers on the usual ports of this machine.
    Discover,
    /// Send a tiny request: to provider/model, a provider, or the default.
    Test {
        /// Which.
        target: Option<String>,
    },
    /// Forget a provider with its stored key.
    Remove {
        /// Its name.
        name: String,
    },
}

/// `model=3,15`.
fn price(given: &str) -> Result<(String, Price), String> {
    let unclear = || "write MODEL=IN,OUT, e.g. large=3,15".to_owned();
    let (model, prices) = given.split_once('=').ok_or_else(unclear)?;
    let (input, output) = prices.split_once(',').ok_or_else(unclear)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unclear());
    Ok((model.to_owned(), Price { input: number(input)?, output: number(output)?, cached: None }))
}
