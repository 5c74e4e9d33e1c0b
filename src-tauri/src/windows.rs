//! The Studio's windows: which there are, what each has open, and what is remembered of them.
//!
//! A workspace is open in one window at most. Everything is kept in the account's settings as it happens, so that a kill costs
//! nothing: an own few lines instead of a plug-in, which would keep sizes by label for all accounts and only when the app ends.
//! The list's lock is never held while a window is asked something: the answer may need the thread that waits for the lock.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inklings_app::{App, dispatch};
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Failure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tauri::{AppHandle, Emitter as _, Manager as _, Monitor, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};
use tokio::sync::Notify;

use crate::instance::Wish;
use crate::placement::{Area, Geometry, SMALLEST};

const TITLE: &str = "Inklings Skill Studio";
/// Setting that remembers the windows: the one that had the keyboard is last.
const SETTING: &str = "studio.windows";
/// Setting that holds how large everything is shown; 1 is as designed.
const ZOOM: &str = "ui.zoom";
/// Windows that a start opens at most.
const MOST: usize = 16;
/// Letters of a title.
const TITLE_LETTERS: usize = 200;
/// How long moving and sizing may go on unsaved.
const SETTLES: Duration = Duration::from_millis(250);
/// How long a page that is about to close has to send what was typed last.
const FAREWELL: Duration = Duration::from_millis(1_500);

/// A window as it is remembered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Remembered {
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    geometry: Geometry,
}

/// What a window works in. No two windows are in the same place, so none writes over what another keeps for its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The folder that is open.
    pub(crate) workspace: Option<String>,
    /// Tells the windows without a folder from each other.
    #[serde(default)]
    pub(crate) number: u32,
}

struct Open {
    label: String,
    /// What it looks like without being maximised.
    is: Remembered,
}

/// All windows, the one that had the keyboard last at the end.
#[derive(Default)]
pub(crate) struct Windows {
    open: Mutex<Vec<Open>>,
    made: AtomicU32,
    moved: Notify,
    /// The app ends as a whole: what is open now is to come back.
    ending: AtomicBool,
}

impl Windows {
    fn list(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a window; the label of the one that has the workspace already is the error.
    fn enter(&self, is: &Remembered) -> Result<String, String> {
        let mut open = self.list();
        if let Some(taken) = holder(&open, is.place.workspace.as_deref()) {
            return Err(taken);
        }
        let label = format!("studio-{}", self.made.fetch_add(1, Ordering::Relaxed));
        let place = free_place(&open, &label, is.place.clone());
        open.push(Open { label: label.clone(), is: Remembered { place, ..is.clone() } });
        Ok(label)
    }

    /// Where the window works.
    pub(crate) fn place_of(&self, label: &str) -> Place {
        self.list().iter().find(|one| one.label == label).map(|one| one.is.place.clone()).unwrap_or_default()
    }

    /// Lets the window have a workspace, or none; the label of another one that has it is the error.
    fn take(&self, label: &str, workspace: Option<String>) -> Result<Place, String> {
        let mut open = self.list();
        if let Some(taken) = holder(&open, workspace.as_deref()).filter(|other| other != label) {
            return Err(taken);
        }
        let place = free_place(&open, label, Place { workspace, number: 0 });
        if let Some(one) = open.iter_mut().find(|one| one.label == label) {
            one.is.place = place.clone();
        }
        Ok(place)
    }

    fn settle(&self, label: &str, geometry: Geometry) {
        if let Some(one) = self.list().iter_mut().find(|one| one.label == label) {
            one.is.geometry = geometry;
        }
    }

    /// The window got the keyboard.
    fn raise(&self, label: &str) {
        let mut open = self.list();
        if let Some(at) = open.iter().position(|one| one.label == label) {
            let one = open.remove(at);
            open.push(one);
        }
    }

    /// A window is gone. The last one comes back with the next start, and all do when the app ends as a whole.
    fn leave(&self, label: &str) {
        let mut open = self.list();
        if open.len() > 1 && !self.ending.load(Ordering::Relaxed) {
            open.retain(|one| one.label != label);
        }
    }

    /// Takes back a window that could not be made.
    fn forget(&self, label: &str) {
        self.list().retain(|one| one.label != label);
    }

    fn labels(&self) -> Vec<String> {
        self.list().iter().map(|one| one.label.clone()).collect()
    }

    fn last(&self) -> Option<(String, Geometry)> {
        self.list().last().map(|one| (one.label.clone(), one.is.geometry))
    }

    fn remembered(&self) -> Value {
        json!({ "windows": self.list().iter().map(|one| &one.is).collect::<Vec<_>>() })
    }
}

/// The window that has a workspace.
fn holder(open: &[Open], workspace: Option<&str>) -> Option<String> {
    let workspace = workspace?;
    open.iter().find(|one| one.is.place.workspace.as_deref() == Some(workspace)).map(|one| one.label.clone())
}

/// The place with the first number, from the wanted one on, that no other window has.
fn free_place(open: &[Open], label: &str, mut wanted: Place) -> Place {
    while open.iter().any(|one| one.label != label && one.is.place == wanted) {
        wanted.number = wanted.number.wrapping_add(1);
    }
    wanted
}

/// The windows to begin with: those that were open, each workspace once.
fn to_restore(stored: Option<&Value>) -> Vec<Remembered> {
    let stored = stored.and_then(|value| value.get("windows")).and_then(Value::as_array);
    let mut windows: Vec<Remembered> = Vec::new();
    for one in stored.into_iter().flatten().rev().filter_map(|one| serde_json::from_value::<Remembered>(one.clone()).ok()) {
        let known = one.place.workspace.is_some() && windows.iter().any(|other| other.place.workspace == one.place.workspace);
        if !known && windows.len() < MOST {
            windows.push(one);
        }
    }
    windows.reverse();
    if windows.is_empty() {
        windows.push(Remembered::default());
    }
    windows
}

/// The windows of a start that was given a folder: an empty one takes it.
fn with_folder(mut windows: Vec<Remembered>, folder: Option<String>) -> Vec<Remembered> {
    let Some(folder) = folder else { return windows };
    let taken = windows.iter().position(|one| one.place.workspace.as_deref() == Some(&folder));
    let geometry = match taken.or_else(|| windows.iter().rposition(|one| one.place.workspace.is_none())) {
        Some(at) => windows.remove(at).geometry,
        None => windows.last().map(|one| one.geometry.beside()).unwrap_or_default(),
    };
    windows.push(Remembered { place: Place { workspace: Some(folder), number: 0 }, geometry });
    windows
}

/// Opens the windows that were open last, and the folder that the start was given.
pub(crate) fn restore(app: &AppHandle, engine: &Arc<Engine>, folder: Option<String>) -> tauri::Result<()> {
    let stored = engine.app().user.settings().unwrap_or_default();
    let screens = screens(app);
    for one in with_folder(to_restore(stored.get(SETTING)), folder) {
        let windows = app.state::<Windows>();
        if let Ok(label) = windows.enter(&one) {
            build(app, &label, one.geometry.fitted(&screens), zoom(stored.get(ZOOM)))?;
        }
    }
    keep_up(app.clone(), engine.app().clone());
    Ok(())
}

/// Grants what another start wishes.
pub(crate) fn grant(app: &AppHandle, wish: Wish) -> Result<(), String> {
    let done = match wish.folder {
        Some(folder) => tauri::async_runtime::block_on(open(app, Some(folder))).map_err(|failure| failure.message),
        None => Ok(()),
    };
    done?;
    // The answer comes from the thread of the windows, so that a Studio that ends or hangs doesn't say it did.
    let (sent, seen) = std::sync::mpsc::channel();
    let handle = app.clone();
    let raise = move || {
        if let Some((label, _)) = handle.state::<Windows>().last() {
            show(&handle, &label);
        }
        let _ = sent.send(());
    };
    app.run_on_main_thread(raise).map_err(|error| error.to_string())?;
    seen.recv().map_err(|error| error.to_string())
}

/// Opens a window: on a folder, or on none. A folder that another window has is shown there.
pub(crate) async fn open(app: &AppHandle, folder: Option<String>) -> Result<(), Failure> {
    let core = app.state::<Arc<Engine>>().app().clone();
    let workspace = match folder {
        Some(folder) => Some(checked(&core, &folder).await?),
        None => None,
    };
    let windows = app.state::<Windows>();
    let geometry = windows.last().map(|(_, geometry)| geometry.beside()).unwrap_or_default();
    match windows.enter(&Remembered { place: Place { workspace, number: 0 }, geometry }) {
        Err(taken) => show(app, &taken),
        Ok(label) => {
            let settings = core.clone();
            let level = stored_zoom(move || settings.user.settings()).await;
            if let Err(error) = build(app, &label, geometry.fitted(&screens(app)), level) {
                windows.forget(&label);
                return Err(Failure::new(inklings_rpc::Code::Internal, format!("no window can be made: {error}")));
            }
            remember(app, &core).await;
        }
    }
    Ok(())
}

/// The folder as it is called from now on; refused where it can't be opened.
async fn checked(core: &Arc<App>, folder: &str) -> Result<String, Failure> {
    let cx = CallContext::local(None, core.origin.clone());
    let status = dispatch(core.clone(), cx, "workspace/open", json!({ "path": folder })).await?;
    let path = status.get("path").and_then(Value::as_str);
    path.map(str::to_owned).ok_or_else(|| Failure::new(inklings_rpc::Code::Internal, "a workspace has no path"))
}

/// Lets a window have a workspace, or none. Nothing when another window has it, which is shown then.
pub(crate) async fn take(window: &WebviewWindow, workspace: Option<String>) -> Option<Place> {
    let app = window.app_handle();
    let before = app.state::<Windows>().place_of(window.label()).workspace;
    let taken = app.state::<Windows>().take(window.label(), workspace);
    if let Err(other) = &taken {
        show(app, other);
    } else {
        release(app, before);
        remember(app, app.state::<Arc<Engine>>().app()).await;
    }
    taken.ok()
}

/// Lets the engine let go of a folder that no window shows any more.
fn release(app: &AppHandle, workspace: Option<String>) {
    let Some(workspace) = workspace else { return };
    let app = app.clone();
    // Closing a database waits for its disk.
    tauri::async_runtime::spawn_blocking(move || {
        let shown = holder(&app.state::<Windows>().list(), Some(&workspace)).is_some();
        if !shown {
            app.state::<Arc<Engine>>().release(Path::new(&workspace));
        }
    });
}

/// Closes all windows; the next start opens them again.
pub(crate) fn quit(app: &AppHandle) {
    let windows = app.state::<Windows>();
    windows.ending.store(true, Ordering::Relaxed);
    for label in windows.labels() {
        if let Some(window) = app.get_webview_window(&label) {
            say_farewell(&window);
        }
    }
}

/// How large everything is shown; what isn't a sensible number counts as the usual.
pub(crate) fn zoom(stored: Option<&Value>) -> f64 {
    stored.and_then(Value::as_f64).filter(|level| (0.5..=3.0).contains(level)).unwrap_or(1.0)
}

/// The zoom among the settings, which are read on a thread that may wait for their database.
async fn stored_zoom<E: Send + 'static>(read: impl FnOnce() -> Result<BTreeMap<String, Value>, E> + Send + 'static) -> f64 {
    let stored = tokio::task::spawn_blocking(read).await.ok().and_then(Result::ok).unwrap_or_default();
    zoom(stored.get(ZOOM))
}

fn show(app: &AppHandle, label: &str) {
    let Some(window) = app.get_webview_window(label) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "a window can't be brought to the front");
    }
}

fn build(app: &AppHandle, label: &str, geometry: Geometry, zoom: f64) -> tauri::Result<()> {
    let mut builder = WebviewWindowBuilder::new(app, label, WebviewUrl::App("index.html".into()))
        .title(TITLE)
        .inner_size(geometry.width, geometry.height)
        .min_inner_size(SMALLEST.0, SMALLEST.1)
        .maximized(geometry.maximized)
        // It never leaves the app's own pages.
        .on_navigation(|url: &Url| matches!(url.scheme(), "tauri" | "about") || url.host_str() == Some("tauri.localhost"))
        .on_document_title_changed(|window, title| {
            let title: String = title.chars().filter(|letter| !letter.is_control()).take(TITLE_LETTERS).collect();
            if let Err(error) = window.set_title(&title) {
                tracing::debug!(%error, "a title can't be set");
            }
        });
    if let Some((x, y)) = geometry.at {
        builder = builder.position(x, y);
    }
    let window = builder.build()?;
    if (zoom - 1.0).abs() > f64::EPSILON {
        window.set_zoom(zoom)?;
    }
    let handle = window.clone();
    window.on_window_event(move |event| heard(&handle, event));
    Ok(())
}

fn heard(window: &WebviewWindow, event: &WindowEvent) {
    let windows = window.state::<Windows>();
    match event {
        WindowEvent::Resized(_) | WindowEvent::Moved(_) => windows.moved.notify_one(),
        WindowEvent::Focused(true) => {
            windows.raise(window.label());
            windows.moved.notify_one();
        }
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            say_farewell(window);
        }
        WindowEvent::Destroyed => {
            let place = windows.place_of(window.label());
            windows.leave(window.label());
            release(window.app_handle(), place.workspace);
            windows.moved.notify_one();
            // What was unsaved in it is a draft now, also for the others.
            if let Err(error) = window.emit("changes", inklings_engine::drafts_changed()) {
                tracing::debug!(%error, "the other windows could not be told of drafts");
            }
        }
        _ => {}
    }
}

/// Lets the page send what was typed last; it closes its window then. One that doesn't answer is closed nonetheless.
fn say_farewell(window: &WebviewWindow) {
    let (window, label) = (window.clone(), window.label().to_owned());
    if let Err(error) = window.emit("closing", &label) {
        tracing::debug!(%error, "a window could not be told that it closes");
    }
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(FAREWELL).await;
        close(&window);
    });
}

/// Closes a window at once.
pub(crate) fn close(window: &WebviewWindow) {
    if let Err(error) = window.destroy() {
        tracing::debug!(%error, "a window was gone already");
    }
}

/// Remembers what moved, once it stands still.
fn keep_up(app: AppHandle, core: Arc<App>) {
    tauri::async_runtime::spawn(async move {
        loop {
            app.state::<Windows>().moved.notified().await;
            tokio::time::sleep(SETTLES).await;
            for (label, known) in app.state::<Windows>().geometries() {
                if let Some(geometry) = app.get_webview_window(&label).and_then(|window| look(&window, known)) {
                    app.state::<Windows>().settle(&label, geometry);
                }
            }
            remember(&app, &core).await;
        }
    });
}

impl Windows {
    fn geometries(&self) -> Vec<(String, Geometry)> {
        self.list().iter().map(|one| (one.label.clone(), one.is.geometry)).collect()
    }
}

/// How a window stands now. What fills the screen keeps the size that it goes back to.
fn look(window: &WebviewWindow, known: Geometry) -> Option<Geometry> {
    let maximized = window.is_maximized().ok()?;
    if maximized || window.is_fullscreen().ok()? || window.is_minimized().ok()? {
        return Some(Geometry { maximized, ..known });
    }
    let scale = window.scale_factor().ok()?;
    let size = window.inner_size().ok()?.to_logical::<f64>(scale);
    let at = window.outer_position().ok().map(|at| at.to_logical::<f64>(scale)).map(|at| (at.x, at.y));
    Some(Geometry { width: size.width, height: size.height, at, maximized })
}

fn screens(app: &AppHandle) -> Vec<Area> {
    let area = |screen: &Monitor| {
        let (at, size) = (screen.work_area().position, screen.work_area().size);
        let (at, size) = (at.to_logical::<f64>(screen.scale_factor()), size.to_logical::<f64>(screen.scale_factor()));
        Area { at: (at.x, at.y), size: (size.width, size.height) }
    };
    app.available_monitors().unwrap_or_default().iter().map(area).collect()
}

/// Writes down what is open, unless it is known already.
async fn remember(app: &AppHandle, core: &Arc<App>) {
    let (value, core) = (app.state::<Windows>().remembered(), core.clone());
    let write = move || {
        let origin = core.origin.clone();
        // Written only when it differs: every write is news to all windows.
        core.user.change_setting(SETTING, &origin, &mut |stored| (stored.as_ref() != Some(&value)).then(|| value.clone()))
    };
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the open windows could not be remembered"),
        Err(error) => tracing::warn!(%error, "the open windows could not be remembered"),
    }
}

/// Whether a start was given a folder that is there; as a full path.
pub(crate) fn folder_given(given: &Path) -> Result<String, String> {
    let path = given.canonicalize().map_err(|error| format!("{}: {error}", given.display()))?;
    if !path.is_dir() {
        return Err(format!("{} is not a folder: name the folder that it is in", path.display()));
    }
    path.into_os_string()
        .into_string()
        .map_err(|path| format!("{} has a name that is no UTF-8: rename the folder", Path::new(&path).display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(workspace: Option<&str>, width: f64) -> Remembered {
        Remembered {
            place: Place { workspace: workspace.map(str::to_owned), number: 0 },
            geometry: Geometry { width, ..Geometry::default() },
        }
    }

    fn workspaces(windows: &[Remembered]) -> Vec<Option<&str>> {
        windows.iter().map(|one| one.place.workspace.as_deref()).collect()
    }

    #[test]
    fn a_workspace_is_open_in_one_window() {
        let windows = Windows::default();
        let first = windows.enter(&on(Some("/notes"), 900.0)).unwrap();
        let second = windows.enter(&on(None, 900.0)).unwrap();
        assert_eq!(windows.enter(&on(Some("/notes"), 800.0)), Err(first.clone()));
        assert_eq!(windows.take(&second, Some("/notes".to_owned())), Err(first.clone()));
        assert_eq!(windows.place_of(&second).workspace, None);
        windows.take(&first, Some("/notes".to_owned())).unwrap();
        windows.take(&first, None).unwrap();
        windows.take(&second, Some("/notes".to_owned())).unwrap();
        assert_eq!(windows.place_of(&second).workspace.as_deref(), Some("/notes"));
    }

    #[test]
    fn windows_without_a_folder_are_told_apart() {
        let windows = Windows::default();
        let [first, second, third] = [(); 3].map(|()| windows.enter(&on(None, 900.0)).unwrap());
        assert_eq!([&first, &second, &third].map(|label| windows.place_of(label).number), [0, 1, 2]);
        windows.take(&first, Some("/a".to_owned())).unwrap();
        assert_eq!(windows.take(&third, None).unwrap().number, 0);
        assert_eq!(windows.take(&first, None).unwrap().number, 2);
        let again = Windows::default();
        let numbers =
            to_restore(Some(&windows.remembered())).iter().map(|one| again.place_of(&again.enter(one).unwrap()).number).collect::<Vec<_>>();
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
            assert_eq!(to_restore(Some(&stored)), [Remembered::default()], "{stored}");
        }
        let many: Vec<_> = (0..40).map(|number| on(Some(&format!("/{number}")), 900.0)).collect();
        let restored = to_restore(Some(&json!({ "windows": many })));
        assert_eq!((restored.len(), restored.last()), (MOST, many.last()));
        let twice = json!({ "windows": [on(Some("/a"), 800.0), on(Some("/a"), 900.0)] });
        assert_eq!(to_restore(Some(&twice)), [on(Some("/a"), 900.0)]);
    }

    #[test]
    fn a_given_folder_gets_the_window_that_has_it_or_an_empty_one_or_its_own() {
        let given = |windows: Vec<Remembered>| {
            let windows = with_folder(windows, Some("/a".to_owned()));
            windows.into_iter().map(|one| (one.place.workspace, one.geometry.width)).collect::<Vec<_>>()
        };
        let a = |width| (Some("/a".to_owned()), width);
        assert_eq!(given(vec![on(Some("/a"), 800.0), on(None, 900.0)]), [(None, 900.0), a(800.0)]);
        assert_eq!(given(vec![on(Some("/b"), 800.0), on(None, 900.0)]), [(Some("/b".to_owned()), 800.0), a(900.0)]);
        assert_eq!(given(vec![on(Some("/b"), 800.0)]), [(Some("/b".to_owned()), 800.0), a(800.0)]);
    }

    #[test]
    fn a_zoom_that_is_none_is_the_usual() {
        for (stored, level) in [(json!(1.5), 1.5), (json!(0.1), 1.0), (json!("2"), 1.0), (json!(3), 3.0), (json!(1e9), 1.0)] {
            assert!((zoom(Some(&stored)) - level).abs() < 1e-9, "{stored}");
        }
    }

    #[tokio::test]
    async fn settings_are_read_away_from_the_threads_that_serve_calls() {
        let serving = std::thread::current().id();
        let (sent, read_on) = std::sync::mpsc::channel();
        let level = stored_zoom(move || {
            sent.send(std::thread::current().id()).unwrap();
            Ok::<_, ()>(BTreeMap::from([(ZOOM.to_owned(), json!(1.5))]))
        });
        assert!((level.await - 1.5).abs() < 1e-9);
        assert_ne!(read_on.recv(), Ok(serving));
        let unreadable = stored_zoom(|| Err(()));
        assert!((unreadable.await - 1.0).abs() < 1e-9);
    }
}
