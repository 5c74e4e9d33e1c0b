//! The system's clipboard, to write only.

/// Puts text on it; from the thread of the windows.
pub(crate) fn put(text: &str) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).set_text(text);
}
