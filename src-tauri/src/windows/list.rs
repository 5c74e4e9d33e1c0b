//! The list of open windows, and which of them the next start restores. Deliberately absent: Tauri.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::placement::Geometry;

const MAX_RESTORED: usize = 16;

/// The stored state of a window.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct WindowState {
    #[serde(flatten)]
    pub(super) slot: WindowSlot,
    #[serde(flatten)]
    pub(super) geometry: Geometry,
}

/// Identifies a window across restarts. Unique, so that windows don't overwrite each other's stored layout.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WindowSlot {
    pub(crate) workspace: Option<String>,
    /// Distinguishes windows without a folder.
    #[serde(default)]
    pub(crate) number: u32,
}

pub(super) struct OpenWindow {
    label: String,
    state: WindowState,
}

/// All windows, in the order of their last focus.
#[derive(Default)]
pub(crate) struct Windows {
    open: Mutex<Vec<OpenWindow>>,
    next_label: AtomicU32,
    pub(super) moved: Notify,
    /// The app is quitting: windows that close now are restored at the next start.
    pub(super) quitting: AtomicBool,
}

impl Windows {
    pub(super) fn list(&self) -> MutexGuard<'_, Vec<OpenWindow>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a window and returns its label. The error is the label of the window that has the workspace.
    pub(super) fn add(&self, state: &WindowState) -> Result<String, String> {
        let mut open = self.list();
        if let Some(taken) = window_with(&open, state.slot.workspace.as_deref()) {
            return Err(taken);
        }
        let label = format!("studio-{}", self.next_label.fetch_add(1, Ordering::Relaxed));
        let slot = free_slot(&open, &label, state.slot.clone());
        open.push(OpenWindow { label: label.clone(), state: WindowState { slot, ..state.clone() } });
        Ok(label)
    }

    pub(crate) fn slot_of(&self, label: &str) -> WindowSlot {
        self.list().iter().find(|one| one.label == label).map(|one| one.state.slot.clone()).unwrap_or_default()
    }

    /// Changes the workspace of a window. The error is the label of another window that has it.
    pub(super) fn claim_workspace(&self, label: &str, workspace: Option<String>) -> Result<WindowSlot, String> {
        let mut open = self.list();
        if let Some(taken) = window_with(&open, workspace.as_deref()).filter(|other| other != label) {
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

    /// The window got the focus.
    pub(super) fn raise(&self, label: &str) {
        let mut open = self.list();
        if let Some(at) = open.iter().position(|one| one.label == label) {
            let one = open.remove(at);
            open.push(one);
        }
    }

    /// A window was closed. The last one is kept for the next start, and all are if the app is quitting.
    pub(super) fn close(&self, label: &str) {
        let mut open = self.list();
        if open.len() > 1 && !self.quitting.load(Ordering::Relaxed) {
            open.retain(|one| one.label != label);
        }
    }

    /// Removes a window that couldn't be opened.
    pub(super) fn remove(&self, label: &str) {
        self.list().retain(|one| one.label != label);
    }

    pub(super) fn labels(&self) -> Vec<String> {
        self.list().iter().map(|one| one.label.clone()).collect()
    }

    pub(super) fn last(&self) -> Option<(String, Geometry)> {
        self.list().last().map(|one| (one.label.clone(), one.state.geometry))
    }

    /// The workspace of the first window that has one.
    pub(crate) fn first_workspace(&self) -> Option<String> {
        self.list().iter().find_map(|one| one.state.slot.workspace.clone())
    }

    pub(super) fn geometries(&self) -> Vec<(String, Geometry)> {
        self.list().iter().map(|one| (one.label.clone(), one.state.geometry)).collect()
    }

    pub(super) fn to_setting(&self) -> Value {
        json!({ "windows": self.list().iter().map(|one| &one.state).collect::<Vec<_>>() })
    }
}

pub(super) fn window_with(open: &[OpenWindow], workspace: Option<&str>) -> Option<String> {
    let workspace = workspace?;
    open.iter().find(|one| one.state.slot.workspace.as_deref() == Some(workspace)).map(|one| one.label.clone())
}

/// The slot with the first free number.
fn free_slot(open: &[OpenWindow], label: &str, mut wanted: WindowSlot) -> WindowSlot {
    while open.iter().any(|one| one.label != label && one.state.slot == wanted) {
        wanted.number = wanted.number.wrapping_add(1);
    }
    wanted
}

/// The windows to restore, each workspace once; one empty window if there are none.
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

/// Adds the folder of the command line: to the window that has it, else an empty one, else a new one.
pub(super) fn with_folder(mut windows: Vec<WindowState>, folder: Option<String>) -> Vec<WindowState> {
    let Some(folder) = folder else { return windows };
    let taken = windows.iter().position(|one| one.slot.workspace.as_deref() == Some(&folder));
    let geometry = match taken.or_else(|| windows.iter().rposition(|one| one.slot.workspace.is_none())) {
        Some(at) => windows.remove(at).geometry,
        None => windows.last().map(|one| one.geometry.cascaded()).unwrap_or_default(),
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
        let first = windows.add(&on(Some("/notes"), 900.0)).unwrap();
        let second = windows.add(&on(None, 900.0)).unwrap();
        assert_eq!(windows.add(&on(Some("/notes"), 800.0)), Err(first.clone()));
        assert_eq!(windows.claim_workspace(&second, Some("/notes".to_owned())), Err(first.clone()));
        assert_eq!(windows.slot_of(&second).workspace, None);
        windows.claim_workspace(&first, Some("/notes".to_owned())).unwrap();
        windows.claim_workspace(&first, None).unwrap();
        windows.claim_workspace(&second, Some("/notes".to_owned())).unwrap();
        assert_eq!(windows.slot_of(&second).workspace.as_deref(), Some("/notes"));
    }

    #[test]
    fn the_first_workspace_is_that_of_the_first_window_that_has_one() {
        let windows = Windows::default();
        assert_eq!(windows.first_workspace(), None);
        for workspace in [None, Some("/notes"), Some("/work")] {
            windows.add(&on(workspace, 900.0)).unwrap();
        }
        assert_eq!(windows.first_workspace().as_deref(), Some("/notes"));
    }

    #[test]
    fn windows_without_a_folder_are_distinct() {
        let windows = Windows::default();
        let [first, second, third] = [(); 3].map(|()| windows.add(&on(None, 900.0)).unwrap());
        assert_eq!([&first, &second, &third].map(|label| windows.slot_of(label).number), [0, 1, 2]);
        windows.claim_workspace(&first, Some("/a".to_owned())).unwrap();
        assert_eq!(windows.claim_workspace(&third, None).unwrap().number, 0);
        assert_eq!(windows.claim_workspace(&first, None).unwrap().number, 2);
        let again = Windows::default();
        let numbers =
            to_restore(Some(&windows.to_setting())).iter().map(|one| again.slot_of(&again.add(one).unwrap()).number).collect::<Vec<_>>();
        assert_eq!(numbers, [2, 1, 0]);
    }

    #[test]
    fn what_is_remembered_comes_back_in_order() {
        let windows = Windows::default();
        let labels: Vec<_> = [Some("/a"), None, Some("/b")].map(|one| windows.add(&on(one, 900.0)).unwrap()).into();
        windows.raise(&labels[0]);
        let kept = windows.to_setting();
        assert_eq!(workspaces(&to_restore(Some(&kept))), [None, Some("/b"), Some("/a")]);
        windows.close(&labels[2]);
        windows.close(&labels[1]);
        windows.close(&labels[0]);
        assert_eq!(workspaces(&to_restore(Some(&windows.to_setting()))), [Some("/a")], "the last one comes back");
    }

    #[test]
    fn all_come_back_when_the_app_ends_as_a_whole() {
        let windows = Windows::default();
        let labels: Vec<_> = [Some("/a"), Some("/b")].map(|one| windows.add(&on(one, 900.0)).unwrap()).into();
        windows.quitting.store(true, Ordering::Relaxed);
        for label in &labels {
            windows.close(label);
        }
        assert_eq!(workspaces(&to_restore(Some(&windows.to_setting()))), [Some("/a"), Some("/b")]);
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
