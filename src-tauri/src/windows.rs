//! The windows of the app: opening, closing, and restoring them at the next start.
//!
//! A workspace is open in one window at most. The list is saved in the account's settings on every change, so that it survives a
//! kill (Tauri's plugin would save sizes by label, for all accounts and only at the end of the app).
//! The list isn't locked during calls to a window, which may need the thread that waits for the lock. A window that is closed first
//! receives a `closing` event, saves drafts and settings and closes itself; without an answer it is closed after [`CLOSE_TIMEOUT`].

mod list;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use inklings_app::{App, dispatch};
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Failure};
use serde_json::{Value, json};
use tauri::{AppHandle, Emitter as _, Manager as _, Monitor, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};

use crate::instance::OpenRequest;
use crate::placement::{Area, Geometry, MIN_SIZE};

pub(crate) use list::{WindowSlot, Windows};
use list::{WindowState, to_restore, window_with, with_folder};

const TITLE: &str = "Inklings Skill Studio";
/// The open windows; the last one had the focus.
const WINDOWS_SETTING: &str = "studio.windows";
/// 1 is the original size.
const ZOOM_SETTING: &str = "ui.zoom";
const MAX_TITLE_CHARS: usize = 200;
/// Debounce of moving and resizing.
const SAVE_DELAY: Duration = Duration::from_millis(250);
/// For the page of a closing window to save unsaved changes.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Opens the windows of the last session, and the folder of the command line.
pub(crate) fn restore(app: &AppHandle, engine: &Arc<Engine>, folder: Option<String>) -> tauri::Result<()> {
    let stored = engine.app().user.settings().unwrap_or_default();
    let screens = screens(app);
    for one in with_folder(to_restore(stored.get(WINDOWS_SETTING)), folder) {
        let windows = app.state::<Windows>();
        if let Ok(label) = windows.add(&one) {
            build(app, &label, one.geometry.fitted(&screens), zoom(stored.get(ZOOM_SETTING)))?;
        }
    }
    save_on_change(app.clone(), engine.app().clone());
    Ok(())
}

/// Handles the request of another start.
pub(crate) fn handle_open_request(app: &AppHandle, request: OpenRequest) -> Result<(), String> {
    let done = match request.folder {
        Some(folder) => tauri::async_runtime::block_on(open(app, Some(folder))).map_err(|failure| failure.message),
        None => Ok(()),
    };
    done?;
    // Answered by the main thread, so that an app that hangs or ends doesn't report success.
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

/// Opens a window, with or without a folder. If another window has the folder, that window is brought to the front.
pub(crate) async fn open(app: &AppHandle, folder: Option<String>) -> Result<(), Failure> {
    let core = app.state::<Arc<Engine>>().app().clone();
    let workspace = match folder {
        Some(folder) => Some(open_workspace(&core, &folder).await?),
        None => None,
    };
    let windows = app.state::<Windows>();
    let geometry = windows.last().map(|(_, geometry)| geometry.cascaded()).unwrap_or_default();
    match windows.add(&WindowState { slot: WindowSlot { workspace, number: 0 }, geometry }) {
        Err(taken) => show(app, &taken),
        Ok(label) => {
            let settings = core.clone();
            let level = stored_zoom(move || settings.user.settings()).await;
            if let Err(error) = build(app, &label, geometry.fitted(&screens(app)), level) {
                windows.remove(&label);
                return Err(Failure::new(inklings_rpc::Code::Internal, format!("can't open a window: {error}")));
            }
            save_windows(app, &core).await;
        }
    }
    Ok(())
}

/// Opens the workspace and returns its canonical path.
async fn open_workspace(core: &Arc<App>, folder: &str) -> Result<String, Failure> {
    let cx = CallContext::local(None, core.origin.clone());
    let status = dispatch(core.clone(), cx, "workspace/open", json!({ "path": folder })).await?;
    let path = status.get("path").and_then(Value::as_str);
    path.map(str::to_owned).ok_or_else(|| Failure::new(inklings_rpc::Code::Internal, "missing workspace path"))
}

/// Changes the workspace of a window. None if another window has it, which is then brought to the front.
pub(crate) async fn claim_workspace(window: &WebviewWindow, workspace: Option<String>) -> Option<WindowSlot> {
    let app = window.app_handle();
    let before = app.state::<Windows>().slot_of(window.label()).workspace;
    let taken = app.state::<Windows>().claim_workspace(window.label(), workspace);
    if let Err(other) = &taken {
        show(app, other);
    } else {
        release(app, before);
        save_windows(app, app.state::<Arc<Engine>>().app()).await;
    }
    taken.ok()
}

/// Releases the database of a workspace that no window shows any more.
fn release(app: &AppHandle, workspace: Option<String>) {
    let Some(workspace) = workspace else { return };
    let app = app.clone();
    // Closing a database blocks.
    tauri::async_runtime::spawn_blocking(move || {
        let shown = window_with(&app.state::<Windows>().list(), Some(&workspace)).is_some();
        let engine = app.state::<Arc<Engine>>();
        let running = engine.app().server.get().and_then(|server| server.status().running);
        let is_served = running.is_some_and(|running| running.workspace.as_deref() == Some(workspace.as_str()));
        if !shown && !is_served {
            engine.release(Path::new(&workspace));
        }
    });
}

/// Closes all windows; the next start opens them again.
pub(crate) fn quit(app: &AppHandle) {
    let windows = app.state::<Windows>();
    windows.quitting.store(true, Ordering::Relaxed);
    for label in windows.labels() {
        if let Some(window) = app.get_webview_window(&label) {
            request_close(&window);
        }
    }
}

/// The zoom level; 1 if the stored value is invalid.
pub(crate) fn zoom(stored: Option<&Value>) -> f64 {
    stored.and_then(Value::as_f64).filter(|level| (0.5..=3.0).contains(level)).unwrap_or(1.0)
}

/// Reads the zoom level on a blocking thread.
async fn stored_zoom<E: Send + 'static>(read: impl FnOnce() -> Result<BTreeMap<String, Value>, E> + Send + 'static) -> f64 {
    let stored = tokio::task::spawn_blocking(read).await.ok().and_then(Result::ok).unwrap_or_default();
    zoom(stored.get(ZOOM_SETTING))
}

fn show(app: &AppHandle, label: &str) {
    let Some(window) = app.get_webview_window(label) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "can't bring a window to the front");
    }
}

fn build(app: &AppHandle, label: &str, geometry: Geometry, zoom: f64) -> tauri::Result<()> {
    let mut builder = WebviewWindowBuilder::new(app, label, WebviewUrl::App("index.html".into()))
        .title(TITLE)
        .inner_size(geometry.width, geometry.height)
        .min_inner_size(MIN_SIZE.0, MIN_SIZE.1)
        .maximized(geometry.maximized)
        // Only the app's own pages.
        .on_navigation(|url: &Url| matches!(url.scheme(), "tauri" | "about") || url.host_str() == Some("tauri.localhost"))
        .on_document_title_changed(|window, title| {
            let title: String = title.chars().filter(|letter| !letter.is_control()).take(MAX_TITLE_CHARS).collect();
            if let Err(error) = window.set_title(&title) {
                tracing::debug!(%error, "can't set the window title");
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
    window.on_window_event(move |event| on_window_event(&handle, event));
    Ok(())
}

fn on_window_event(window: &WebviewWindow, event: &WindowEvent) {
    let windows = window.state::<Windows>();
    match event {
        WindowEvent::Resized(_) | WindowEvent::Moved(_) => windows.moved.notify_one(),
        WindowEvent::Focused(true) => {
            windows.raise(window.label());
            windows.moved.notify_one();
        }
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            request_close(window);
        }
        WindowEvent::Destroyed => {
            let slot = windows.slot_of(window.label());
            windows.close(window.label());
            release(window.app_handle(), slot.workspace);
            windows.moved.notify_one();
            // Its unsaved changes are drafts now, which other windows show.
            if let Err(error) = window.emit("changes", inklings_engine::drafts_changed()) {
                tracing::debug!(%error, "can't notify other windows of drafts");
            }
        }
        _ => {}
    }
}

/// Lets the page save unsaved changes and close its window. A page that doesn't respond is closed after [`CLOSE_TIMEOUT`].
fn request_close(window: &WebviewWindow) {
    let (window, label) = (window.clone(), window.label().to_owned());
    if let Err(error) = window.emit("closing", &label) {
        tracing::debug!(%error, "can't notify a window that it closes");
    }
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(CLOSE_TIMEOUT).await;
        close(&window);
    });
}

/// Closes a window without notice.
pub(crate) fn close(window: &WebviewWindow) {
    if let Err(error) = window.destroy() {
        tracing::debug!(%error, "the window was already closed");
    }
}

/// Saves geometry changes, debounced.
fn save_on_change(app: AppHandle, core: Arc<App>) {
    tauri::async_runtime::spawn(async move {
        loop {
            app.state::<Windows>().moved.notified().await;
            tokio::time::sleep(SAVE_DELAY).await;
            for (label, known) in app.state::<Windows>().geometries() {
                if let Some(geometry) = app.get_webview_window(&label).and_then(|window| current_geometry(&window, known)) {
                    app.state::<Windows>().save_geometry(&label, geometry);
                }
            }
            save_windows(&app, &core).await;
        }
    });
}

/// The present geometry. A maximized, minimized or full-screen window keeps its normal size.
fn current_geometry(window: &WebviewWindow, known: Geometry) -> Option<Geometry> {
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

/// Saves the list of open windows if it changed.
async fn save_windows(app: &AppHandle, core: &Arc<App>) {
    let (app, core) = (app.clone(), core.clone());
    let write = move || store_windows(&core, &app.state::<Windows>());
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "can't save the open windows"),
        Err(error) => tracing::warn!(%error, "can't save the open windows"),
    }
}

fn store_windows(core: &App, windows: &Windows) -> Result<(), String> {
    let change = core.user.change_setting(WINDOWS_SETTING, &core.origin, &mut |stored| {
        // Read in the order of the writes: otherwise an older list could replace a newer one.
        let value = windows.to_setting();
        // An unchanged value isn't written, since every write notifies all windows.
        (stored.as_ref() != Some(&value)).then_some(value)
    });
    change.map_err(|error| error.to_string())
}

/// The canonical path of a folder on the command line.
pub(crate) fn folder_argument(given: &Path) -> Result<String, String> {
    let path = given.canonicalize().map_err(|error| format!("{}: {error}", given.display()))?;
    if !path.is_dir() {
        return Err(format!("{} isn't a folder", path.display()));
    }
    path.into_os_string().into_string().map_err(|path| format!("the name of {} isn't UTF-8", Path::new(&path).display()))
}

#[cfg(test)]
mod tests {
    use inklings_engine::{Options, Resources};
    use inklings_testkit::spawn_until_asleep;

    use super::*;

    #[test]
    fn an_invalid_zoom_is_the_default() {
        for (stored, level) in [(json!(1.5), 1.5), (json!(0.1), 1.0), (json!("2"), 1.0), (json!(3), 3.0), (json!(1e9), 1.0)] {
            assert!((zoom(Some(&stored)) - level).abs() < 1e-9, "{stored}");
        }
    }

    #[test]
    fn a_save_that_waits_for_another_one_stores_the_present_windows() {
        let home = tempfile::tempdir().unwrap();
        let (home, resources) = (home.path().to_owned(), Resources::at("/nonexistent"));
        let options = Options { home, resources, launcher: None, agents: None, clients: None, maintain: false };
        let engine = Engine::start(options).unwrap();
        let (core, windows) = (engine.app(), &Windows::default());
        windows.add(&WindowState::default()).unwrap();
        std::thread::scope(|scope| {
            let other = core.user.change_setting("other", "test", &mut |_| {
                spawn_until_asleep(scope, || store_windows(core, windows).unwrap()).unwrap();
                windows.add(&WindowState::default()).unwrap();
                None
            });
            other.unwrap();
        });
        assert_eq!(core.user.settings().unwrap().get(WINDOWS_SETTING), Some(&windows.to_setting()));
    }

    #[tokio::test]
    async fn settings_are_read_away_from_the_threads_that_serve_calls() {
        let serving = std::thread::current().id();
        let (sent, read_on) = std::sync::mpsc::channel();
        let level = stored_zoom(move || {
            sent.send(std::thread::current().id()).unwrap();
            Ok::<_, ()>(BTreeMap::from([(ZOOM_SETTING.to_owned(), json!(1.5))]))
        });
        assert!((level.await - 1.5).abs() < 1e-9);
        assert_ne!(read_on.recv(), Ok(serving));
        let unreadable = stored_zoom(|| Err(()));
        assert!((unreadable.await - 1.0).abs() < 1e-9);
    }
}
