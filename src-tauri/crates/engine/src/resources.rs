//! Paths of shipped data: of the installed app, or in the source tree.

use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub struct Resources {
    root: PathBuf,
}

impl Resources {
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// `INKLINGS_RESOURCES`, else `../lib/inklings-studio` relative to the binary's folder, else the source tree.
    #[must_use]
    pub fn find() -> Self {
        let installed = || {
            let binary = std::env::current_exe().ok()?;
            let root = binary.parent()?.parent()?.join("lib/inklings-studio");
            root.join("seed").is_dir().then_some(root)
        };
        let source = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let root = std::env::var_os("INKLINGS_RESOURCES").map(PathBuf::from).or_else(installed).unwrap_or_else(source);
        Self::at(root)
    }

    /// One folder per skill.
    #[must_use]
    pub fn skills(&self) -> PathBuf {
        self.root.join("seed/skills")
    }

    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.root.join("seed/workspace")
    }

    /// The sandbox's machine code.
    #[must_use]
    pub fn python(&self) -> Option<PathBuf> {
        Some(self.root.join("sandbox/python.cwasm")).filter(|file| file.is_file())
    }

    /// Folder of the embedding model.
    #[must_use]
    pub fn embedding(&self) -> Option<PathBuf> {
        Some(self.root.join("embedding")).filter(|folder| folder.is_dir())
    }

    #[must_use]
    pub fn dspy(&self) -> Option<PathBuf> {
        Some(self.root.join("sidecar/inklings-dspy/inklings-dspy")).filter(|file| file.is_file())
    }

    /// 0 without a version file.
    #[must_use]
    pub fn seed_version(&self) -> i64 {
        let text = std::fs::read_to_string(self.root.join("seed/version")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }
}
