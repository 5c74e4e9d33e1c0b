//! The Studio's windows: which there are, what each has open, and what is remembered of them.
//!
//! A workspace is open in one window at most. Everything is kept in the account's settings as it happens, so that a kill costs
//! nothing: an own few lines instead of a plug-in, which would keep sizes by label for all accounts and only when the app ends.
//! The list's lock is never held while a window is asked something: the answer may need the thread that waits for the lock.

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
use list::{WindowState, holder, to_restore, with_folder};

const TITLE: &str = "Inklings Skill Studio";
/// Setting that remembers the windows: the one that had the keyboard is last.
const WINDOWS_SETTING: &str = "studio.windows";
/// Setting that holds how large everything is shown; 1 is as designed.
const ZOOM_SETTING: &str = "ui.zoom";
/// Letters of a title.
const MAX_TITLE_CHARS: usize = 200;
/// How long moving and sizing may go on unsaved.
const SAVE_DELAY: Duration = Duration::from_millis(250);
/// How long a page that is about to close has to send what was typed last.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Opens the windows that were open last, and the folder that the start was given.
pub(crate) fn restore(app: &AppHandle, engine: &Arc<Engine>, folder: Option<String>) -> tauri::Result<()> {
    let stored = engine.app().user.settings().unwrap_or_default();
    let screens = screens(app);
    for one in with_folder(to_restore(stored.get(WINDOWS_SETTING)), folder) {
        let windows = app.state::<Windows>();
        if let Ok(label) = windows.enter(&one) {
            build(app, &label, one.geometry.fitted(&screens), zoom(stored.get(ZOOM_SETTING)))?;
        }
    }
    save_on_change(app.clone(), engine.app().clone());
    Ok(())
}

/// Grants what another start wishes.
pub(crate) fn handle_open_request(app: &AppHandle, request: OpenRequest) -> Result<(), String> {
    let done = match request.folder {
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
    match windows.enter(&WindowState { slot: WindowSlot { workspace, number: 0 }, geometry }) {
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
pub(crate) async fn claim_workspace(window: &WebviewWindow, workspace: Option<String>) -> Option<WindowSlot> {
    let app = window.app_handle();
    let before = app.state::<Windows>().slot_of(window.label()).workspace;
    let taken = app.state::<Windows>().claim_workspace(window.label(), workspace);
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
            request_close(&window);
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
    zoom(stored.get(ZOOM_SETTING))
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
        .min_inner_size(MIN_SIZE.0, MIN_SIZE.1)
        .maximized(geometry.maximized)
        // It never leaves the app's own pages.
        .on_navigation(|url: &Url| matches!(url.scheme(), "tauri" | "about") || url.host_str() == Some("tauri.localhost"))
        .on_document_title_changed(|window, title| {
            let title: String = title.chars().filter(|letter| !letter.is_control()).take(MAX_TITLE_CHARS).collect();
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
            windows.leave(window.label());
            release(window.app_handle(), slot.workspace);
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
fn request_close(window: &WebviewWindow) {
    let (window, label) = (window.clone(), window.label().to_owned());
    if let Err(error) = window.emit("closing", &label) {
        tracing::debug!(%error, "a window could not be told that it closes");
    }
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(CLOSE_TIMEOUT).await;
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
            remember(&app, &core).await;
        }
    });
}

/// How a window stands now. What fills the screen keeps the size that it goes back to.
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

/// Writes down what is open, unless it is known already.
async fn remember(app: &AppHandle, core: &Arc<App>) {
    let (value, core) = (app.state::<Windows>().remembered(), core.clone());
    let write = move || {
        let origin = core.origin.clone();
        // Written only when it differs: every write is news to all windows.
        core.user.change_setting(WINDOWS_SETTING, &origin, &mut |stored| (stored.as_ref() != Some(&value)).then(|| value.clone()))
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
            Ok::<_, ()>(BTreeMap::from([(ZOOM_SETTING.to_owned(), json!(1.5))]))
        });
        assert!((level.await - 1.5).abs() < 1e-9);
        assert_ne!(read_on.recv(), Ok(serving));
        let unreadable = stored_zoom(|| Err(()));
        assert!((unreadable.await - 1.0).abs() < 1e-9);
    }
}
