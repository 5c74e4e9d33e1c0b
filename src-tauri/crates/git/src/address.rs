//! The address of a repository, as people copy it.

const GITHUB: &str = "https://github.com/";
const SCHEMES: &[&str] = &["https", "http", "ssh", "git", "file"];

/// What stands between the repository and the branch in the addresses of folders and files: of GitLab, Gitea, and GitHub.
const BROWSED: &[&str] = &["/-/tree/", "/-/blob/", "/src/branch/", "/src/tag/", "/tree/", "/blob/"];

/// A repository, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryAddress {
    pub url: String,
    /// A branch or tag, followed by a path in it: the names of branches have slashes, too, so only the repository knows where the path
    /// begins. Empty for the default branch.
    pub branch_and_path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("{0:?} isn't the address of a repository")]
    Invalid(String),
    #[error("repositories can't be fetched by {0:?}")]
    Scheme(String),
    #[error("the address contains a user name or a password")]
    Credentials,
}

impl RepositoryAddress {
    /// Whether a text is meant as an address, not as a path.
    #[must_use]
    pub fn is_url(text: &str) -> bool {
        text.contains("://") || is_scp_like(text)
    }

    /// Reads a URL, `user@host:path`, the address of a folder in a repository's web pages, or `owner/name` of GitHub.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let invalid = || AddressError::Invalid(text.to_owned());
        if text.is_empty() || text.starts_with('-') || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(invalid());
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            let scheme = scheme.to_ascii_lowercase();
            if !SCHEMES.contains(&scheme.as_str()) {
                return Err(AddressError::Scheme(scheme));
            }
            let rest = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
            let host = rest.split('/').next().unwrap_or_default();
            let has_user = host.contains('@') && scheme.starts_with("http");
            if has_user || host.split_once('@').is_some_and(|(user, _)| user.contains(':')) {
                return Err(AddressError::Credentials);
            }
            if rest.is_empty() || host.starts_with('-') || (scheme != "file" && !rest.contains('/')) {
                return Err(invalid());
            }
            return Ok(if scheme.starts_with("http") { browsed(&scheme, rest) } else { Self::whole(format!("{scheme}://{rest}")) });
        }
        if text.contains("::") {
            return Err(AddressError::Scheme(text.split("::").next().unwrap_or_default().to_owned()));
        }
        if is_scp_like(text) {
            return Ok(Self::whole(text.to_owned()));
        }
        let (owner, name) = text.split_once('/').ok_or_else(invalid)?;
        let is_name = |part: &str| {
            !part.is_empty() && !part.starts_with('.') && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        if is_name(owner) && is_name(name) { Ok(Self::whole(format!("{GITHUB}{owner}/{name}"))) } else { Err(invalid()) }
    }

    const fn whole(url: String) -> Self {
        Self { url, branch_and_path: String::new() }
    }

    /// The last part of the path, without `.git`.
    #[must_use]
    pub fn name(&self) -> &str {
        let last = self.url.rsplit(['/', ':']).next().unwrap_or_default();
        last.strip_suffix(".git").unwrap_or(last)
    }
}

fn browsed(scheme: &str, rest: &str) -> RepositoryAddress {
    let found = BROWSED.iter().find_map(|marker| rest.split_once(marker).map(|(repository, path)| (repository, *marker, path)));
    let Some((repository, marker, path)) = found else { return RepositoryAddress::whole(format!("{scheme}://{rest}")) };
    // The address of a file stands for its folder.
    let path = if marker.contains("blob") { path.rsplit_once('/').map_or(path, |(folder, _)| folder) } else { path };
    RepositoryAddress { url: format!("{scheme}://{repository}"), branch_and_path: path.to_owned() }
}

/// `user@host:path`
fn is_scp_like(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, path)| {
        host.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('/')) && !path.is_empty()
    }) && !text.contains("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (String, String) {
        let address = RepositoryAddress::parse(text).unwrap();
        (address.url, address.branch_and_path)
    }

    #[test]
    fn addresses_are_read_as_people_copy_them() {
        for (text, url, rest) in [
            ("https://example.org/team/skills.git", "https://example.org/team/skills.git", ""),
            (" https://example.org/team/skills/?tab=readme#top ", "https://example.org/team/skills", ""),
            ("HTTPS://github.com/team/skills", "https://github.com/team/skills", ""),
            ("https://github.com/team/skills/tree/main/skills/pdf", "https://github.com/team/skills", "main/skills/pdf"),
            ("https://github.com/team/skills/blob/v1/skills/pdf/SKILL.md", "https://github.com/team/skills", "v1/skills/pdf"),
            ("https://github.com/team/skills/blob/main/SKILL.md", "https://github.com/team/skills", "main"),
            ("https://gitlab.com/team/sub/skills/-/tree/main/pdf", "https://gitlab.com/team/sub/skills", "main/pdf"),
            ("https://codeberg.org/team/skills/src/branch/main/pdf", "https://codeberg.org/team/skills", "main/pdf"),
            ("git@example.org:team/skills.git", "git@example.org:team/skills.git", ""),
            ("ssh://git@example.org:2222/team/skills", "ssh://git@example.org:2222/team/skills", ""),
            ("file:///srv/skills", "file:///srv/skills", ""),
            ("team/skills", "https://github.com/team/skills", ""),
        ] {
            assert_eq!(parsed(text), (url.to_owned(), rest.to_owned()), "{text}");
        }
        assert_eq!(RepositoryAddress::parse("git@example.org:team/skills.git").unwrap().name(), "skills");
    }

    #[test]
    fn what_would_run_programs_or_store_secrets_is_refused() {
        let error = |text: &str| RepositoryAddress::parse(text).unwrap_err();
        for text in [
            "",
            "-u",
            "--upload-pack=touch",
            "skills",
            "a/b/c",
            "../skills",
            "a b/c",
            "https://",
            "https://host",
            "https://-o/x",
            "a/\u{7}",
        ] {
            assert!(matches!(error(text), AddressError::Invalid(_)), "{text}");
        }
        for text in ["ext::sh -c", "ext::sh", "fd::3", "javascript://x/y", "user@ext::host:path"] {
            assert!(matches!(error(text), AddressError::Scheme(_) | AddressError::Invalid(_)), "{text}");
        }
        for text in ["https://me:secret@example.org/a/b", "https://token@example.org/a/b", "ssh://me:secret@example.org/a/b"] {
            assert_eq!(error(text), AddressError::Credentials, "{text}");
        }
    }
}
