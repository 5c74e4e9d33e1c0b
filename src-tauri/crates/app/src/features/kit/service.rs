use std::collections::{BTreeMap, BTreeSet};

use inklings_core::{SkillCatalog, Slug, StorageError, UserData};
use serde_json::{Value, json};

use super::api::{ChangeKitParams, Kit, KitList};
use super::error::KitError;

pub(super) const MAX_NAME_CHARS: usize = 60;
/// Setting with the slugs of each kit, by its name.
pub(crate) const KITS: &str = "kits";

type Kits = BTreeMap<String, BTreeSet<Slug>>;

pub(super) fn list(user: &dyn UserData) -> Result<KitList, StorageError> {
    Ok(KitList { kits: read(user.settings()?.get(KITS)).into_iter().map(kit).collect() })
}

/// A kit by its name, ignoring case.
pub(crate) fn find(user: &dyn UserData, name: &str) -> Result<Kit, KitError> {
    let mut kits = read(user.settings()?.get(KITS));
    let found = known(&kits, name).and_then(|name| kits.remove_entry(&name));
    found.map(kit).ok_or_else(|| KitError::NotFound(name.to_owned()))
}

pub(super) fn change(user: &dyn UserData, origin: &str, catalog: &SkillCatalog, params: &ChangeKitParams) -> Result<Kit, KitError> {
    let added = params.add.iter().map(|skill| Ok(catalog.require(skill, None)?.package.slug)).collect::<Result<Vec<_>, KitError>>()?;
    let renamed = params.rename.as_deref().map(valid_name).transpose()?;
    let name = valid_name(&params.name)?;
    edit(user, origin, &params.name, |kits| {
        let current = known(kits, &name);
        if renamed.is_some() && current.is_none() {
            return Err(KitError::NotFound(name.clone()));
        }
        let mut skills = current.as_ref().and_then(|current| kits.remove(current)).unwrap_or_default();
        skills.extend(added.iter().cloned());
        skills.retain(|skill| !params.remove.contains(skill));
        let name = renamed.clone().or(current).unwrap_or_else(|| name.clone());
        if let Some(other) = known(kits, &name) {
            return Err(KitError::Exists(other));
        }
        kits.insert(name.clone(), skills.clone());
        Ok(kit((name, skills)))
    })
}

pub(super) fn delete(user: &dyn UserData, origin: &str, name: &str) -> Result<(), KitError> {
    edit(user, origin, name, |kits| {
        let found = known(kits, name).and_then(|name| kits.remove(&name));
        found.map(drop).ok_or_else(|| KitError::NotFound(name.to_owned()))
    })
}

/// Kits name their skills by slug.
pub(crate) fn rename_skill(user: &dyn UserData, origin: &str, from: &Slug, to: &Slug) -> Result<(), StorageError> {
    user.change_setting(KITS, origin, &mut |stored| {
        let mut kits = read(stored.as_ref());
        let mut changed = false;
        for skills in kits.values_mut() {
            if skills.remove(from) {
                skills.insert(to.clone());
                changed = true;
            }
        }
        changed.then(|| json!(kits))
    })
}

fn edit<T>(user: &dyn UserData, origin: &str, name: &str, mut change: impl FnMut(&mut Kits) -> Result<T, KitError>) -> Result<T, KitError> {
    let mut result = Err(KitError::NotFound(name.to_owned()));
    user.change_setting(KITS, origin, &mut |stored| {
        let mut kits = read(stored.as_ref());
        let changed = change(&mut kits);
        let value = changed.is_ok().then(|| json!(kits));
        result = changed;
        value
    })?;
    result
}

/// Refuses a setting of which something would be left out.
pub(crate) fn check(setting: &Value) -> Result<(), serde_json::Error> {
    let kits: Kits = serde_json::from_value(setting.clone())?;
    kits.keys().try_for_each(|name| valid_name(name).map(drop)).map_err(serde::de::Error::custom)
}

/// What isn't a kit, such as a setting that was edited by hand, is left out.
fn read(setting: Option<&Value>) -> Kits {
    let entries = setting.and_then(Value::as_object).into_iter().flatten();
    let slugs = |value: &Value| value.as_array().into_iter().flatten().filter_map(|slug| Slug::parse(slug.as_str()?).ok()).collect();
    entries.filter_map(|(name, value)| Some((valid_name(name).ok()?, slugs(value)))).collect()
}

fn known(kits: &Kits, name: &str) -> Option<String> {
    let lower = name.trim().to_lowercase();
    kits.keys().find(|known| known.to_lowercase() == lower).cloned()
}

fn valid_name(name: &str) -> Result<String, KitError> {
    let name = name.trim();
    let is_valid = (1..=MAX_NAME_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_valid { Ok(name.to_owned()) } else { Err(KitError::Name(name.to_owned())) }
}

fn kit((name, skills): (String, BTreeSet<Slug>)) -> Kit {
    Kit { name, skills: skills.into_iter().collect() }
}
