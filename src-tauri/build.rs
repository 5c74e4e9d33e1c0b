//! Embeds the window's configuration, capabilities and the built UI.

fn main() {
    tauri_build::build();
}
