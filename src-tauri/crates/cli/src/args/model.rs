//! Arguments of `inklings model`.

use clap::Subcommand;
use inklings_core::model::Price;
use inklings_core::provider::ProviderKind;

use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Add a model provider or change its settings
    ///
    /// The first model of the first provider becomes the default. When you change a provider, options that you omit keep their values.
    #[command(after_help = examples(&[
        "inklings model add claude --kind anthropic --key-env ANTHROPIC_API_KEY --model claude-sonnet-4-5",
        "inklings model add local --kind ollama --model llama3.2",
        "inklings model add openai --kind openai --key-stdin < key.txt",
    ]))]
    Add {
        /// Name of the provider: lowercase letters, digits and hyphens
        name: String,
        /// Kind: anthropic, openai, gemini, mistral, openrouter, ollama, llamacpp, lmstudio or openai-compatible
        #[arg(long)]
        kind: ProviderKind,
        /// Base URL [default: depends on the kind]
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// ID of a model to use with this provider (repeatable)
        #[arg(long = "model", value_name = "ID")]
        models: Vec<String>,
        /// Price of a model in USD per million input and output tokens, e.g. large=3,15 (repeatable)
        #[arg(long = "price", value_name = "MODEL=IN,OUT", value_parser = price)]
        prices: Vec<(String, Price)>,
        /// Environment variable with the API key
        #[arg(long, value_name = "VAR", conflicts_with_all = ["key", "no_key"])]
        key_env: Option<String>,
        /// Read the API key from standard input and store it
        #[arg(long = "key-stdin", alias = "key", conflicts_with = "no_key")]
        key: bool,
        /// Use the provider without an API key
        #[arg(long)]
        no_key: bool,
        /// Timeout for the first byte and between chunks, in seconds [default: 120]
        #[arg(long, value_name = "SECONDS")]
        timeout: Option<u32>,
    },
    /// Set the default model
    #[command(after_help = examples(&["inklings model default claude/claude-sonnet-4-5", "inklings model default local"]))]
    Default {
        /// Model as PROVIDER/MODEL, or a provider to use its first model
        model: String,
    },
    /// List model providers
    List {
        /// Ask each provider which models it offers
        #[arg(long = "available", alias = "offered")]
        offered: bool,
    },
    /// Find model servers on this machine
    Discover,
    /// Test a model with a short request
    Test {
        /// Model as PROVIDER/MODEL, or a provider [default: the default model]
        #[arg(value_name = "MODEL")]
        target: Option<String>,
    },
    /// Remove a provider and its stored key
    Remove {
        /// Name of the provider
        name: String,
    },
}

/// `model=3,15`.
fn price(given: &str) -> Result<(String, Price), String> {
    let invalid = || "expected MODEL=IN,OUT, e.g. large=3,15".to_owned();
    let (model, prices) = given.split_once('=').ok_or_else(invalid)?;
    let (input, output) = prices.split_once(',').ok_or_else(invalid)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| invalid());
    Ok((model.to_owned(), Price { input: number(input)?, output: number(output)?, cached: None }))
}
