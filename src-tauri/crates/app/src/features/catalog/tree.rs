//! The files of a skill as folders.

use std::collections::BTreeMap;

use inklings_core::Skill;

use super::api::{SkillTree, TreeNode};
use crate::wire::{FileEntry, file_entry};

#[derive(Default)]
struct Folder {
    folders: BTreeMap<String, Self>,
    files: BTreeMap<String, FileEntry>,
}

pub(super) fn tree(skill: &Skill) -> SkillTree {
    let (mut root, tree) = (Folder::default(), skill.package.tree());
    for entry in tree.keys().filter_map(|path| file_entry(skill, &tree, path, false)) {
        let path = entry.path.clone();
        let (folders, name) = path.as_str().rsplit_once('/').map_or((None, path.as_str()), |(folders, name)| (Some(folders), name));
        let parts = folders.into_iter().flat_map(|folders| folders.split('/'));
        let folder = parts.fold(&mut root, |folder, part| folder.folders.entry(part.to_owned()).or_default());
        folder.files.insert(name.to_owned(), entry);
    }
    SkillTree { revision: skill.head.revision, children: root.nodes("") }
}

impl Folder {
    fn nodes(self, at: &str) -> Vec<TreeNode> {
        let folders = self.folders.into_iter().map(|(name, folder)| {
            let path = format!("{at}{name}");
            let children = folder.nodes(&format!("{path}/"));
            TreeNode::Folder { name, path, children }
        });
        let files = self.files.into_iter().map(|(name, entry)| TreeNode::File {
            name,
            path: entry.path,
            size: entry.size,
            sha256: entry.sha256,
            executable: entry.executable,
            kind: entry.artifact.map(|artifact| artifact.kind),
        });
        folders.chain(files).collect()
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::id::SkillId;
    use inklings_core::{Head, Origin, Package, Scope, SkillPath, Source, Time, TreeFile};
    use serde_json::json;

    use super::*;

    #[test]
    fn folders_come_first_and_keep_their_order() {
        let head = Head::new(SkillId::new(uuid::Uuid::nil()), Scope::Account, Source::User, Origin::Human, Time::from_millis(0));
        let mut skill = Skill { head, package: Package::new(inklings_core::Slug::parse("a").unwrap(), "A", "") };
        for path in ["z.txt", "b/c/d.txt", "b/a.txt", "a-file"] {
            let file = inklings_core::skill::SkillFile { path: SkillPath::parse(path).unwrap(), entry: TreeFile::new(Vec::new()) };
            skill.package.files.push(file);
        }
        let names = |nodes: &serde_json::Value| -> Vec<String> {
            nodes.as_array().unwrap().iter().map(|node| node["path"].as_str().unwrap().to_owned()).collect()
        };
        let tree = json!(tree(&skill));
        assert_eq!(names(&tree["children"])[0], "b");
        assert_eq!(names(&tree["children"])[1..], ["a-file", "z.txt"]);
        assert_eq!(names(&tree["children"][0]["children"]), ["b/c", "b/a.txt"]);
        assert_eq!(tree["children"][0]["children"][0]["children"][0]["path"], "b/c/d.txt");
    }
}
