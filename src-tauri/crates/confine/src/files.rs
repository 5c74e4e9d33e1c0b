//! Which files can be opened: Landlock, by what is below a few paths.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

/// What programs need of a system: libraries, the index of them, time zones, two devices. Missing ones are skipped.
const SYSTEM: [&str; 9] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"];

/// Leaves reading and executing of `allowed` and of the system's libraries. False where the kernel has no Landlock. Older kernels
/// hold back less of what is asked for, but reading and writing of files always.
pub(crate) fn confine(allowed: &[PathBuf]) -> Result<bool, RulesetError> {
    // Named, not the newest: what later versions forbid was not tested.
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
