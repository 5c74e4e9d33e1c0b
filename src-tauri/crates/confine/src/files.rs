//! Limits file access with Landlock to a few folders.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

/// Libraries and their index, time zones, two devices. Missing paths are skipped.
const SYSTEM: [&str; 9] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"];

/// Allows only to read and execute `allowed` and the system's libraries. False if the kernel has no Landlock. Older kernels
/// enforce less, but always the reading and writing of files.
pub(crate) fn confine(allowed: &[PathBuf]) -> Result<bool, RulesetError> {
    // A fixed version: later ones forbid things that were not tested.
    let (version, reading) = (ABI::V6, AccessFs::from_read(ABI::V6));
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(version))?
        .handle_access(AccessNet::from_all(version))?
        .scope(Scope::from_all(version))?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, reading))?
        .add_rules(path_beneath_rules(allowed, reading))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
