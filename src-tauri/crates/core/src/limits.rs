//! Hard limits of a skill. Nothing is stored if one is exceeded.

/// Characters of a title.
pub const NAME_CHARS: usize = 120;
/// Characters of a description written in the app.
pub const DESCRIPTION_CHARS: usize = 1_024;
/// Maximum length of a description in characters, with a warning above [`DESCRIPTION_CHARS`].
pub const DESCRIPTION_CHARS_LENIENT: usize = 8_192;
/// Files of a skill, artifacts included.
pub const FILES: usize = 512;
/// Bytes of all files of a skill.
pub const SKILL_BYTES: usize = 16 * 1024 * 1024;
pub const ARTIFACT_BYTES: usize = 1024 * 1024;
/// Bytes of a file's path inside its skill.
pub const PATH_BYTES: usize = 240;
/// Characters of a slug.
pub const SLUG_CHARS: usize = 64;
