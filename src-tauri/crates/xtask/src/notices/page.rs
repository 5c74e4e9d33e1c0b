//! The guide's page about third-party components.

use std::fmt::Write as _;

use super::{Component, Origin};

const HEAD: &str = "# Third-party software\n\n\
    The Studio contains the work of many others. These lists are generated from the lock files of the source; the license texts are in \
    `/usr/share/doc/inklings-studio/copyright` of the Debian package.\n";

/// The components as Markdown, with a table per origin.
pub(super) fn page(components: &[Component]) -> String {
    let mut text = HEAD.to_owned();
    let parts = [
        (Origin::Native, "Interpreters and C libraries"),
        (Origin::Npm, "User interface"),
        (Origin::Cargo, "Rust crates"),
        (Origin::Pypi, "Python packages"),
    ];
    for (origin, title) in parts {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n## {title}\n\n| Name | Version | License |\n| --- | --- | --- |\n");
        for Component { name, version, license, .. } in components.iter().filter(|one| one.origin == origin) {
            let _ = writeln!(text, "| {name} | {version} | {license} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_origin_is_a_table_of_its_own() {
        let component = |origin, name: &str| Component {
            origin,
            name: name.into(),
            version: "1.0".into(),
            license: "MIT".into(),
            checksum: None,
            folder: None,
        };
        let text = page(&[component(Origin::Cargo, "serde"), component(Origin::Npm, "svelte")]);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("## ") || line.ends_with("| MIT |")).collect();
        let expected = [
            "## Interpreters and C libraries",
            "## User interface",
            "| svelte | 1.0 | MIT |",
            "## Rust crates",
            "| serde | 1.0 | MIT |",
            "## Python packages",
        ];
        assert_eq!(rows, expected);
    }
}
