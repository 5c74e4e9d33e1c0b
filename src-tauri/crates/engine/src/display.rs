//! Whether the desktop app can open a window.

use std::ffi::OsString;

/// For whoever starts the desktop app without a display.
pub const NO_DISPLAY: &str = "no display; start it in a desktop session, or use `inklings serve`";

/// Whether the environment names a display. The window system panics without one.
#[must_use]
pub fn is_available(variable: impl Fn(&'static str) -> Option<OsString>) -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(|name| variable(name).is_some_and(|value| !value.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_kind_of_display_will_do_and_an_empty_name_is_none() {
        let with = |set: &'static str, value: &'static str| is_available(move |name| (name == set).then(|| value.into()));
        assert!(with("DISPLAY", ":0") && with("WAYLAND_DISPLAY", "wayland-0"));
        assert!(!with("DISPLAY", "") && !with("WAYLAND_DISPLAY", "") && !with("HOME", "/root"));
    }
}
