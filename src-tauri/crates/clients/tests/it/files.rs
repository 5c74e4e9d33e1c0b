//! Reading and replacing files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use inklings_clients::{Change, ConfigFile, FileError, MAX_CONFIG_BYTES, merged};

use crate::texts::{client, entry};

fn install(file: &ConfigFile) -> Result<(), FileError> {
    let before = file.read()?;
    let after = merged(file.client(), before.as_deref().unwrap_or_default(), &entry()).map_err(|error| file.config_error(error))?;
    file.change(before.as_deref(), &Change::Write(after))
}

fn uninstall(file: &ConfigFile) {
    let before = file.read().unwrap();
    let change = file.removal(before.as_deref().unwrap()).unwrap().unwrap();
    file.change(before.as_deref(), &change).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_file_that_we_created_is_deleted_again() {
    let top = tempfile::tempdir().unwrap();
    let file = ConfigFile::of_project(client("vscode"), top.path());
    install(&file).unwrap();
    assert_eq!(names(&top.path().join(".vscode")), ["mcp.json"], "nothing to back up");
    uninstall(&file);
    assert_eq!(names(&top.path().join(".vscode")), [] as [&str; 0]);
}

#[test]
fn the_text_before_the_entry_is_backed_up_until_the_entry_is_removed() {
    let top = tempfile::tempdir().unwrap();
    let file = ConfigFile::of_project(client("claude-code"), top.path());
    let before = "{\n  \"mcpServers\": {}\n}\n";
    fs::write(file.path(), before).unwrap();
    fs::set_permissions(file.path(), Permissions::from_mode(0o660)).unwrap();
    install(&file).unwrap();
    assert_eq!((file.original().as_deref(), mode(file.path()), mode(&file.backup_path())), (Some(before), 0o660, 0o660));
    let own = fs::read_to_string(file.path()).unwrap().replace("{\n  \"mcp", "{\n  \"own\": 1,\n  \"mcp");
    fs::write(file.path(), &own).unwrap();
    uninstall(&file);
    let own = "{\n  \"own\": 1,\n  \"mcpServers\": {}\n}\n";
    assert_eq!((fs::read_to_string(file.path()).unwrap().as_str(), names(top.path())), (own, vec![".mcp.json".to_owned()]));
    install(&file).unwrap();
    install(&file).unwrap();
    assert_eq!(file.original().as_deref(), Some(own), "the first text stays");
    fs::write(file.path(), fs::read_to_string(file.path()).unwrap().replace("  \"own\": 1,\n", "")).unwrap();
    uninstall(&file);
    assert_eq!((fs::read_to_string(file.path()).unwrap().as_str(), names(top.path())), (before, vec![".mcp.json".to_owned()]));
}

#[test]
fn the_users_own_entry_that_ours_replaced_stays_in_the_backup() {
    let top = tempfile::tempdir().unwrap();
    let file = ConfigFile::of_project(client("claude-code"), top.path());
    let before = "{\n  \"mcpServers\": { \"inklings\": { \"command\": \"other\", \"env\": { \"A\": \"b\" } } }\n}\n";
    fs::write(file.path(), before).unwrap();
    install(&file).unwrap();
    fs::write(file.path(), fs::read_to_string(file.path()).unwrap().replacen('{', "{\n  \"own\": 1,", 1)).unwrap();
    uninstall(&file);
    assert_eq!(file.original().as_deref(), Some(before));
}

#[test]
fn a_link_is_written_through_unless_it_leads_out_of_the_workspace() {
    let top = tempfile::tempdir().unwrap();
    let (workspace, elsewhere) = (top.path().join("notes"), top.path().join("elsewhere"));
    fs::create_dir_all(workspace.join("shared")).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    let file = ConfigFile::of_project(client("claude-code"), &workspace);
    fs::write(workspace.join("shared/mcp.json"), "{}\n").unwrap();
    symlink("shared/mcp.json", file.path()).unwrap();
    install(&file).unwrap();
    assert!(fs::symlink_metadata(file.path()).unwrap().is_symlink());
    assert!(fs::read_to_string(workspace.join("shared/mcp.json")).unwrap().contains("inklings"));
    uninstall(&file);
    assert_eq!(fs::read_to_string(workspace.join("shared/mcp.json")).unwrap(), "{}\n");

    fs::write(elsewhere.join("mcp.json"), "{}\n").unwrap();
    fs::remove_file(file.path()).unwrap();
    symlink(elsewhere.join("mcp.json"), file.path()).unwrap();
    assert!(matches!(install(&file), Err(FileError::Outside { .. })));
    symlink(&elsewhere, workspace.join(".cursor")).unwrap();
    assert!(matches!(install(&ConfigFile::of_project(client("cursor"), &workspace)), Err(FileError::Outside { .. })));
    symlink(workspace.join("gone"), workspace.join(".vscode")).unwrap();
    assert!(matches!(install(&ConfigFile::of_project(client("vscode"), &workspace)), Err(FileError::Outside { .. })));
    assert_eq!(
        (names(&elsewhere), fs::read_to_string(elsewhere.join("mcp.json")).unwrap().as_str()),
        (vec!["mcp.json".to_owned()], "{}\n")
    );
    fs::remove_file(file.path()).unwrap();
    symlink("shared/gone.json", file.path()).unwrap();
    assert!(matches!(install(&file), Err(FileError::BrokenLink { .. })));
}

#[test]
fn what_cannot_be_changed_safely_is_left_alone() {
    let top = tempfile::tempdir().unwrap();
    let file = ConfigFile::of_project(client("claude-code"), top.path());
    fs::write(file.path(), "{}").unwrap();
    fs::set_permissions(file.path(), Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(install(&file), Err(FileError::ReadOnly { .. })));
    fs::set_permissions(file.path(), Permissions::from_mode(0o600)).unwrap();
    assert!(matches!(file.change(Some("{ }"), &Change::Write("{}\n".to_owned())), Err(FileError::Changed { .. })));
    assert!(matches!(file.change(None, &Change::Write("{}\n".to_owned())), Err(FileError::Changed { .. })));
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "{}");
    fs::write(file.path(), b"{\"a\": \"\xff\"}").unwrap();
    assert!(matches!(install(&file), Err(FileError::NotText { .. })));
    let large = " ".repeat(usize::try_from(MAX_CONFIG_BYTES).unwrap()) + "{}";
    fs::write(file.path(), large).unwrap();
    assert!(matches!(install(&file), Err(FileError::TooLarge { .. })));
    fs::remove_file(file.path()).unwrap();
    fs::create_dir(file.path()).unwrap();
    assert!(matches!(install(&file), Err(FileError::NotAFile { .. })));
    let leftovers: Vec<_> = names(top.path()).into_iter().filter(|name| name.starts_with(".inklings-")).collect();
    assert_eq!(leftovers, [] as [&str; 0]);
}
