//! Embeds the configuration and the page.

fn main() {
    tauri_build::build();
}
