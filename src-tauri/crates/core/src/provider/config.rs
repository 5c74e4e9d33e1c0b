//! Kinds and configurations of providers, and the problems of a configuration.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::model::Price;

pub const DEFAULT_TIMEOUT_SECONDS: u32 = 120;
pub const MAX_TIMEOUT_SECONDS: u32 = 3600;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderKind {
    Anthropic,
    #[serde(rename = "openai")]
    OpenAi,
    Gemini,
    Mistral,
    #[serde(rename = "openrouter")]
    OpenRouter,
    Ollama,
    /// A `llama-server` of llama.cpp.
    #[serde(rename = "llamacpp")]
    LlamaCpp,
    #[serde(rename = "lmstudio")]
    LmStudio,
    /// Another server with the chat completions API of `OpenAI`.
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
}

/// Defaults of a kind: name, title, address, environment variable of its key, whether it is local.
struct KindFacts(&'static str, &'static str, Option<&'static str>, Option<&'static str>, bool);

impl ProviderKind {
    /// In display order.
    pub const ALL: [Self; 9] = [
        Self::Anthropic,
        Self::OpenAi,
        Self::Gemini,
        Self::Mistral,
        Self::OpenRouter,
        Self::Ollama,
        Self::LlamaCpp,
        Self::LmStudio,
        Self::OpenAiCompatible,
    ];

    const fn facts(self) -> KindFacts {
        match self {
            Self::Anthropic => KindFacts("anthropic", "Anthropic", Some("https://api.anthropic.com"), Some("ANTHROPIC_API_KEY"), false),
            Self::OpenAi => KindFacts("openai", "OpenAI", Some("https://api.openai.com/v1"), Some("OPENAI_API_KEY"), false),
            Self::Gemini => {
                KindFacts("gemini", "Google Gemini", Some("https://generativelanguage.googleapis.com"), Some("GEMINI_API_KEY"), false)
            }
            Self::Mistral => KindFacts("mistral", "Mistral", Some("https://api.mistral.ai/v1"), Some("MISTRAL_API_KEY"), false),
            Self::OpenRouter => {
                KindFacts("openrouter", "OpenRouter", Some("https://openrouter.ai/api/v1"), Some("OPENROUTER_API_KEY"), false)
            }
            Self::Ollama => KindFacts("ollama", "Ollama", Some("http://127.0.0.1:11434"), None, true),
            Self::LlamaCpp => KindFacts("llamacpp", "llama.cpp", Some("http://127.0.0.1:8080/v1"), None, true),
            Self::LmStudio => KindFacts("lmstudio", "LM Studio", Some("http://127.0.0.1:1234/v1"), None, true),
            Self::OpenAiCompatible => KindFacts("openai-compatible", "OpenAI-compatible server", None, None, false),
        }
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.facts().0
    }

    /// Display name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().1
    }

    /// `None` for a kind without a default address.
    #[must_use]
    pub const fn default_base_url(self) -> Option<&'static str> {
        self.facts().2
    }

    #[must_use]
    pub const fn key_variable(self) -> Option<&'static str> {
        self.facts().3
    }

    /// Whether it usually runs on this machine, so that tokens are free.
    #[must_use]
    pub const fn is_local(self) -> bool {
        self.facts().4
    }

    /// The model family of all its models; `None` if it serves models of several makers.
    #[must_use]
    pub const fn maker(self) -> Option<&'static str> {
        match self {
            Self::Anthropic | Self::OpenAi | Self::Gemini | Self::Mistral => Some(self.as_str()),
            Self::OpenRouter | Self::Ollama | Self::LlamaCpp | Self::LmStudio | Self::OpenAiCompatible => None,
        }
    }

    /// Whether it refuses requests without a key.
    #[must_use]
    pub const fn needs_key(self) -> bool {
        self.key_variable().is_some()
    }
}

impl fmt::Display for ProviderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown provider kind {0:?}")]
pub struct NoProviderKind(pub String);

impl FromStr for ProviderKind {
    type Err = NoProviderKind;

    fn from_str(text: &str) -> Result<Self, NoProviderKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| NoProviderKind(text.to_owned()))
    }
}

/// The source of a provider's key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum KeySource {
    #[default]
    None,
    Env {
        var: String,
    },
    /// In the keychain, or in the key file if there is no keychain.
    Stored,
}

/// A provider as the user configured it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProviderConfig {
    /// Used in model names: `name/model`.
    pub name: String,
    pub kind: ProviderKind,
    /// `None` for the default address of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(default)]
    pub key: KeySource,
    /// Models that the user listed.
    #[serde(default)]
    pub models: Vec<String>,
    /// Prices by model, which override the built-in ones.
    #[serde(default)]
    pub prices: BTreeMap<String, Price>,
    /// Timeout for the first byte and between chunks; [`DEFAULT_TIMEOUT_SECONDS`] if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
}

impl ProviderConfig {
    #[must_use]
    pub fn new(name: impl Into<String>, kind: ProviderKind) -> Self {
        let key = kind.key_variable().map_or(KeySource::None, |var| KeySource::Env { var: var.to_owned() });
        Self { name: name.into(), kind, base_url: None, key, models: Vec::new(), prices: BTreeMap::new(), timeout_seconds: None }
    }

    /// The configured or the default base URL.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.base_url.as_deref().or(self.kind.default_base_url())
    }

    /// Empty if the configuration is usable.
    #[must_use]
    pub fn check(&self) -> Vec<ConfigProblem> {
        let mut problems = Vec::new();
        if !is_provider_name(&self.name) {
            problems.push(ConfigProblem::Name);
        }
        problems.extend(self.address_problem());
        if let KeySource::Env { var } = &self.key
            && !is_variable(var)
        {
            problems.push(ConfigProblem::Variable);
        }
        if self.timeout_seconds.is_some_and(|seconds| !(1..=MAX_TIMEOUT_SECONDS).contains(&seconds)) {
            problems.push(ConfigProblem::Timeout);
        }
        if self.models.iter().any(|model| model.trim().is_empty()) {
            problems.push(ConfigProblem::Model);
        }
        let fine = |price: f64| price.is_finite() && price >= 0.0;
        if self.prices.values().any(|price| !fine(price.input) || !fine(price.output) || !price.cached.is_none_or(fine)) {
            problems.push(ConfigProblem::Price);
        }
        problems
    }

    fn address_problem(&self) -> Option<ConfigProblem> {
        let Some(text) = self.address() else { return Some(ConfigProblem::NoUrl) };
        let Ok(url) = Url::parse(text) else { return Some(ConfigProblem::Url) };
        if !matches!(url.scheme(), "http" | "https") {
            return Some(ConfigProblem::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Some(ConfigProblem::UrlExtras);
        }
        (url.scheme() == "http" && self.key != KeySource::None && !is_loopback(&url)).then_some(ConfigProblem::KeyInTheOpen)
    }
}

/// `localhost:8890` as people type it: `http` for this machine, else `https`.
#[must_use]
pub fn with_scheme(url: &str) -> String {
    if url.is_empty() || url.contains("://") {
        return url.to_owned();
    }
    let local = format!("http://{url}");
    if Url::parse(&local).is_ok_and(|url| is_loopback(&url)) { local } else { format!("https://{url}") }
}

/// Whether an address is certainly on this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn is_provider_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= 40 && bytes.next().is_some_and(plain) && bytes.all(|byte| plain(byte) || byte == b'-')
}

fn is_variable(name: &str) -> bool {
    let mut bytes = name.bytes();
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    bytes.next().is_some_and(letter) && bytes.all(|byte| letter(byte) || byte.is_ascii_digit())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConfigProblem {
    #[error("the name must be 1 to 40 lowercase letters, digits and hyphens, and can't start with a hyphen")]
    Name,
    /// The address is missing, and the kind has no default.
    #[error("the address is missing: use one such as https://models.example.org/v1")]
    NoUrl,
    /// The address can't be parsed.
    #[error("the address isn't a URL: use one such as https://models.example.org/v1")]
    Url,
    /// Neither http nor https.
    #[error("the address must start with https:// or http://")]
    Scheme,
    /// The address has more than scheme, host, port and path.
    #[error("the address can't contain a user name, a password, ? or #")]
    UrlExtras,
    /// The key would be sent unencrypted.
    #[error("API keys are sent only over https or to this machine: use an https address")]
    KeyInTheOpen,
    /// Not the name of an environment variable.
    #[error("the environment variable must consist of letters, digits and underscores")]
    Variable,
    /// Out of range.
    #[error("the timeout must be between 1 and {MAX_TIMEOUT_SECONDS} seconds")]
    Timeout,
    /// An empty ID.
    #[error("a model in the list has no name")]
    Model,
    /// Negative or not a number.
    #[error("a price must be 0 or more")]
    Price,
}

impl ConfigProblem {
    /// Name of the invalid field.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::NoUrl | Self::Url | Self::Scheme | Self::UrlExtras | Self::KeyInTheOpen => "base_url",
            Self::Variable => "key",
            Self::Timeout => "timeout_seconds",
            Self::Model => "models",
            Self::Price => "prices",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compatible(url: &str, key: KeySource) -> ProviderConfig {
        ProviderConfig { base_url: Some(url.to_owned()), key, ..ProviderConfig::new("mine", ProviderKind::OpenAiCompatible) }
    }

    #[test]
    fn an_address_without_a_scheme_gets_the_one_that_is_safe() {
        for (typed, meant) in [
            ("localhost:8890", "http://localhost:8890"),
            ("127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("models.example.org/v1", "https://models.example.org/v1"),
            ("localhost.example.org", "https://localhost.example.org"),
            ("http://a.example.org", "http://a.example.org"),
            ("", ""),
        ] {
            assert_eq!(with_scheme(typed), meant);
        }
    }

    #[test]
    fn kinds_have_one_name_everywhere() {
        for kind in ProviderKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert!(kind == ProviderKind::OpenAiCompatible || ProviderConfig::new("a", kind).check().is_empty(), "{kind}");
        }
        assert!("OpenAI".parse::<ProviderKind>().is_err());
    }

    #[test]
    fn a_key_never_travels_readable_to_another_machine() {
        let env = || KeySource::Env { var: "MY_KEY".to_owned() };
        for safe in ["https://models.example.org/v1", "http://localhost:1234", "http://127.0.0.1:8080/v1", "http://[::1]:1/v1"] {
            assert_eq!(compatible(safe, env()).check(), [], "{safe}");
        }
        for open in
            ["http://models.example.org/v1", "http://127.0.0.1.example.org", "http://192.168.1.7:8080", "http://localhost.example.org"]
        {
            for key in [env(), KeySource::Stored] {
                assert_eq!(compatible(open, key).check(), [ConfigProblem::KeyInTheOpen], "{open}");
            }
            assert_eq!(compatible(open, KeySource::None).check(), [], "{open}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("ftp://example.org", ConfigProblem::Scheme),
            ("example.org/v1", ConfigProblem::Url),
            ("https://", ConfigProblem::Url),
            ("https://me:secret@example.org", ConfigProblem::UrlExtras),
            ("https://example.org/v1?key=1", ConfigProblem::UrlExtras),
        ];
        for (url, problem) in cases {
            assert_eq!(compatible(url, KeySource::None).check(), [problem], "{url}");
        }
        let long = "a".repeat(41);
        for name in ["", "-a", "A", "a b", "a/b", long.as_str()] {
            assert_eq!(ProviderConfig::new(name, ProviderKind::Ollama).check(), [ConfigProblem::Name], "{name}");
        }
        let mut config = ProviderConfig::new("x", ProviderKind::OpenAiCompatible);
        config.key = KeySource::Env { var: "A B".to_owned() };
        config.timeout_seconds = Some(0);
        config.models = vec![" ".to_owned()];
        config.prices.insert("m".to_owned(), Price { input: -1.0, output: 0.0, cached: None });
        let expected = [ConfigProblem::NoUrl, ConfigProblem::Variable, ConfigProblem::Timeout, ConfigProblem::Model, ConfigProblem::Price];
        assert_eq!(config.check(), expected);
    }
}
