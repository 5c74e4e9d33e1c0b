//! The list of open windows and which of them the next start opens again. Knows nothing of Tauri.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::placement::Geometry;

/// Windows that a start opens at most.
const MAX_RESTORED: usize = 16;

/// A window as it is remembered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct WindowState {
    #[serde(flatten)]
    pub(super) slot: WindowSlot,
    #[serde(flatten)]
    pub(super) geometry: Geometry,
}

/// What a window works in. No two windows are in the same place, so none writes over what another keeps for its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WindowSlot {
    /// The folder that is open.
    pub(crate) workspace: Option<String>,
    /// Tells the windows without a folder from each other.
    #[serde(default)]
    pub(crate) number: u32,
}

pub(super) struct OpenWindow {
    label: String,
    /// What it looks like without being maximised.
    state: WindowState,
}

/// All windows, the one that had the keyboard last at the end.
#[derive(Default)]
pub(crate) struct Windows {
    open: Mutex<Vec<OpenWindow>>,
    made: AtomicU32,
    pub(super) moved: Notify,
    /// The app ends as a whole: what is open now is to come back.
    pub(super) ending: AtomicBool,
}

impl Windows {
    pub(super) fn list(&self) -> MutexGuard<'_, Vec<OpenWindow>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a window; the label of the one that has the workspace already is the error.
    pub(super) fn enter(&self, state: &WindowState) -> Result<String, String> {
        let mut open = self.list();
        if let Some(taken) = holder(&open, state.slot.workspace.as_deref()) {
            return Err(taken);
        }
        let label = format!("studio-{}", self.made.fetch_add(1, Ordering::Relaxed));
        let slot = free_slot(&open, &label, state.slot.clone());
        open.push(OpenWindow { label: label.clone(), state: WindowState { slot, ..state.clone() } });
        Ok(label)
    }

    pub(crate) fn slot_of(&self, label: &str) -> WindowSlot {
        self.list().iter().find(|one| one.label == label).map(|one| one.state.slot.clone()).unwrap_or_default()
    }

    /// Lets the window have a workspace, or none; the label of another one that has it is the error.
    pub(super) fn claim_workspace(&self, label: &str, workspace: Option<String>) -> Result<WindowSlot, String> {
        let mut open = self.list();
        if let Some(taken) = holder(&open, workspace.as_deref()).filter(|other| other != label) {
            return Err(taken);
        }
        let slot = free_slot(&open, label, WindowSlot { workspace, number: 0 });
        if let Some(one) = open.iter_mut().find(|one| one.label == label) {
            one.state.slot = slot.clone();
        }
        Ok(slot)
    }

    pub(super) fn save_geometry(&self, label: &str, geometry: Geometry) {
        if let Some(one) = self.list().iter_mut().find(|one| one.label == label) {
            one.state.geometry = geometry;
        }
    }

    /// The window got the keyboard.
    pub(super) fn raise(&self, label: &str) {
        let mut open = self.list();
        if let Some(at) = open.iter().position(|one| one.label == label) {
            let one = open.remove(at);
            open.push(one);
        }
    }

    /// A window is gone. The last one comes back with the next start, and all do when the app ends as a whole.
    pub(super) fn leave(&self, label: &str) {
        let mut open = self.list();
        if open.len() > 1 && !self.ending.load(Ordering::Relaxed) {
            open.retain(|one| one.label != label);
        }
    }

    /// Takes back a window that could not be made.
    pub(super) fn forget(&self, label: &str) {
        self.list().retain(|one| one.label != label);
    }

    pub(super) fn labels(&self) -> Vec<String> {
        self.list().iter().map(|one| one.label.clone()).collect()
    }

    pub(super) fn last(&self) -> Option<(String, Geometry)> {
        self.list().last().map(|one| (one.label.clone(), one.state.geometry))
    }

    pub(super) fn geometries(&self) -> Vec<(String, Geometry)> {
        self.list().iter().map(|one| (one.label.clone(), one.state.geometry)).collect()
    }

    pub(super) fn remembered(&self) -> Value {
        json!({ "windows": self.list().iter().map(|one| &one.state).collect::<Vec<_>>() })
    }
}

pub(super) fn holder(open: &[OpenWindow], workspace: Option<&str>) -> Option<String> {
    let workspace = workspace?;
    open.iter().find(|one| one.state.slot.workspace.as_deref() == Some(workspace)).map(|one| one.label.clone())
}

/// The place with the first number, from the wanted one on, that no other window has.
fn free_slot(open: &[OpenWindow], label: &str, mut wanted: WindowSlot) -> WindowSlot {
    while open.iter().any(|one| one.label != label && one.state.slot == wanted) {
        wanted.number = wanted.number.wrapping_add(1);
    }
    wanted
}

/// The windows to begin with: those that were open, each workspace once.
pub(super) fn to_restore(stored: Option<&Value>) -> Vec<WindowState> {
    let stored = stored.and_then(|value| value.get("windows")).and_then(Value::as_array);
    let mut windows: Vec<WindowState> = Vec::new();
    for one in stored.into_iter().flatten().rev().filter_map(|one| serde_json::from_value::<WindowState>(one.clone()).ok()) {
        let known = one.slot.workspace.is_some() && windows.iter().any(|other| other.slot.workspace == one.slot.workspace);
        if !known && windows.len() < MAX_RESTORED {
            windows.push(one);
        }
    }
    windows.reverse();
    if windows.is_empty() {
        windows.push(WindowState::default());
    }
    windows
}

/// The windows of a start that was given a folder: an empty one takes it.
pub(super) fn with_folder(mut windows: Vec<WindowState>, folder: Option<String>) -> Vec<WindowState> {
    let Some(folder) = folder else { return windows };
    let taken = windows.iter().position(|one| one.slot.workspace.as_deref() == Some(&folder));
    let geometry = match taken.or_else(|| windows.iter().rposition(|one| one.slot.workspace.is_none())) {
        Some(at) => windows.remove(at).geometry,
        None => windows.last().map(|one| one.geometry.beside()).unwrap_or_default(),
    };
    windows.push(WindowState { slot: WindowSlot { workspace: Some(folder), number: 0 }, geometry });
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(workspace: Option<&str>, width: f64) -> WindowState {
        WindowState {
            slot: WindowSlot { workspace: workspace.map(str::to_owned), number: 0 },
            geometry: Geometry { width, ..Geometry::default() },
        }
    }

    fn workspaces(windows: &[WindowState]) -> Vec<Option<&str>> {
        windows.iter().map(|one| one.slot.workspace.as_deref()).collect()
    }

    #[test]
    fn a_workspace_is_open_in_one_window() {
        let windows = Windows::default();
        let first = windows.enter(&on(Some("/notes"), 900.0)).unwrap();
        let second = windows.enter(&on(None, 900.0)).unwrap();
        assert_eq!(windows.enter(&on(Some("/notes"), 800.0)), Err(first.clone()));
        assert_eq!(windows.claim_workspace(&second, Some("/notes".to_owned())), Err(first.clone()));
        assert_eq!(windows.slot_of(&second).workspace, None);
        windows.claim_workspace(&first, Some("/notes".to_owned())).unwrap();
        windows.claim_workspace(&first, None).unwrap();
        windows.claim_workspace(&second, Some("/notes".to_owned())).unwrap();
        assert_eq!(windows.slot_of(&second).workspace.as_deref(), Some("/notes"));
    }

    #[test]
    fn windows_without_a_folder_are_told_apart() {
        let windows = Windows::default();
        let [first, second, third] = [(); 3].map(|()| windows.enter(&on(None, 900.0)).unwrap());
        assert_eq!([&first, &second, &third].map(|label| windows.slot_of(label).number), [0, 1, 2]);
        windows.claim_workspace(&first, Some("/a".to_owned())).unwrap();
        assert_eq!(windows.claim_workspace(&third, None).unwrap().number, 0);
        assert_eq!(windows.claim_workspace(&first, None).unwrap().number, 2);
        let again = Windows::default();
        let numbers =
            to_restore(Some(&windows.remembered())).iter().map(|one| again.slot_of(&again.enter(one).unwrap()).number).collect::<Vec<_>>();
        assert_eq!(numbers, [2, 1, 0]);
    }

    #[test]
    fn what_is_remembered_comes_back_in_order() {
        let windows = Windows::default();
        let labels: Vec<_> = [Some("/a"), None, Some("/b")].map(|one| windows.enter(&on(one, 900.0)).unwrap()).into();
        windows.raise(&labels[0]);
        let kept = windows.remembered();
        assert_eq!(workspaces(&to_restore(Some(&kept))), [None, Some("/b"), Some("/a")]);
        windows.leave(&labels[2]);
        windows.leave(&labels[1]);
        windows.leave(&labels[0]);
        assert_eq!(workspaces(&to_restore(Some(&windows.remembered()))), [Some("/a")], "the last one comes back");
    }

    #[test]
    fn all_come_back_when_the_app_ends_as_a_whole() {
        let windows = Windows::default();
        let labels: Vec<_> = [Some("/a"), Some("/b")].map(|one| windows.enter(&on(one, 900.0)).unwrap()).into();
        windows.ending.store(true, Ordering::Relaxed);
        for label in &labels {
            windows.leave(label);
        }
        assert_eq!(workspaces(&to_restore(Some(&windows.remembered()))), [Some("/a"), Some("/b")]);
    }

    #[test]
    fn nonsense_in_the_setting_costs_nothing() {
        for stored in [json!(null), json!({}), json!({ "windows": "all" }), json!({ "windows": [1, { "workspace": 2 }, {}] })] {
            assert_eq!(to_restore(Some(&stored)), [WindowState::default()], "{stored}");
        }
        let many: Vec<_> = (0..40).map(|number| on(Some(&format!("/{number}")), 900.0)).collect();
        let restored = to_restore(Some(&json!({ "windows": many })));
        assert_eq!((restored.len(), restored.last()), (MAX_RESTORED, many.last()));
        let twice = json!({ "windows": [on(Some("/a"), 800.0), on(Some("/a"), 900.0)] });
        assert_eq!(to_restore(Some(&twice)), [on(Some("/a"), 900.0)]);
    }

    #[test]
    fn a_given_folder_gets_the_window_that_has_it_or_an_empty_one_or_its_own() {
        let given = |windows: Vec<WindowState>| {
            let windows = with_folder(windows, Some("/a".to_owned()));
            windows.into_iter().map(|one| (one.slot.workspace, one.geometry.width)).collect::<Vec<_>>()
        };
        let a = |width| (Some("/a".to_owned()), width);
        assert_eq!(given(vec![on(Some("/a"), 800.0), on(None, 900.0)]), [(None, 900.0), a(800.0)]);
        assert_eq!(given(vec![on(Some("/b"), 800.0), on(None, 900.0)]), [(Some("/b".to_owned()), 800.0), a(900.0)]);
        assert_eq!(given(vec![on(Some("/b"), 800.0)]), [(Some("/b".to_owned()), 800.0), a(800.0)]);
    }
}
