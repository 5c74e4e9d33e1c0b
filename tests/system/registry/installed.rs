//! Skills of a registry on nginx, installed and updated by the command.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::nginx::{Nginx, Request};
use super::{init, skill};
use crate::support::{INKLINGS, Seeded, World, arg, finish};

struct Marketplace {
    world: World,
    folder: PathBuf,
    nginx: Nginx,
    fingerprint: String,
}

impl Marketplace {
    /// With the skills `alpha`, `beta` and `gamma`. It isn't added yet.
    fn new() -> Self {
        let world = World::new();
        let (folder, created) = init(&world);
        let nginx = Nginx::serve(&folder, "");
        let fingerprint = created["fingerprint"].as_str().unwrap().to_owned();
        let marketplace = Self { world, folder, nginx, fingerprint };
        for name in ["alpha", "beta", "gamma"] {
            skill(&marketplace.world, name, "1.0.0", "Text.");
        }
        marketplace.publish();
        marketplace
    }

    fn added() -> Self {
        let mut marketplace = Self::new();
        let added = marketplace.add();
        assert_eq!(added["skills"], 3, "{added}");
        marketplace.nginx.requests();
        marketplace
    }

    fn add(&self) -> Value {
        self.world.json(&["registry", "add", &self.nginx.address(), "--fingerprint", &self.fingerprint])
    }

    fn publish(&self) {
        let skills = self.world.root.path().join("skills");
        self.world.json(&["registry", "publish", arg(&self.folder), "--from", arg(&skills)]);
    }

    fn sync(&self) -> Value {
        self.world.json(&["registry", "sync"])
    }

    fn install(&self, name: &str) -> Value {
        self.world.json(&["registry", "install", name, "--yes"])
    }

    /// The version of an account's skill. `None` if it isn't there.
    fn version(&self, name: &str) -> Option<String> {
        let list = self.world.json(&["skill", "list"]);
        let found = list["skills"].as_array().unwrap().iter().find(|one| one["slug"] == name)?;
        Some(found["version"].as_str().unwrap().to_owned())
    }

    fn installed(&self, name: &str) -> Value {
        let list = self.world.json(&["registry", "installed"]);
        list["skills"].as_array().unwrap().iter().find(|one| one["slug"] == name).unwrap().clone()
    }
}

#[test]
fn a_registry_is_added_synced_and_installed_from_with_few_requests() {
    let mut market = Marketplace::new();
    assert_eq!(market.add()["skills"], 3);
    let cold = market.nginx.requests();
    assert!(cold.len() <= 10 && !cold.iter().any(|one| one.path.starts_with("/packages")), "{cold:?}");
    assert_eq!(market.sync()["registries"][0]["changed"], false);
    assert_eq!(market.nginx.requests(), [Request { path: "/snapshot.json".to_owned(), status: 304, bytes: 0 }]);

    assert_eq!(market.version("alpha"), None);
    market.install("alpha");
    assert_eq!(market.version("alpha").as_deref(), Some("1.0.0"));
    let packages: Vec<_> = market.nginx.requests().into_iter().filter(|one| one.path.starts_with("/packages")).collect();
    assert!(matches!(&packages[..], [Request { status: 200, .. }]), "{packages:?}");

    skill(&market.world, "alpha", "1.1.0", "Other text.");
    market.publish();
    let outcome = market.sync();
    let reported = [&outcome["updated"], &outcome["waiting"]].into_iter().flat_map(|list| list.as_array().unwrap());
    assert_eq!(reported.map(|one| one["to"].clone()).collect::<Vec<_>>(), [json!("1.1.0")], "{outcome}");
    market.world.json(&["registry", "update"]);
    assert_eq!(market.version("alpha").as_deref(), Some("1.1.0"));
    market.world.json(&["registry", "rollback", "alpha"]);
    assert_eq!(market.version("alpha").as_deref(), Some("1.0.0"));
}

#[test]
fn withdrawn_versions_are_marked_where_they_are_installed() {
    let market = Marketplace::added();
    market.install("alpha");
    market.install("beta");
    let registry = arg(&market.folder);
    market.world.json(&["registry", "yank", registry, "alpha", "1.0.0", "--reason", "Loses text"]);
    market.world.json(&["registry", "revoke", registry, "beta", "1.0.0", "--reason", "Sends text away"]);
    market.sync();
    for (name, status, reason) in [("alpha", "yanked", "Loses text"), ("beta", "revoked", "Sends text away")] {
        let installed = market.installed(name);
        assert_eq!((installed["status"].as_str(), installed["reason"].as_str()), (Some(status), Some(reason)), "{installed}");
    }
}

#[test]
fn a_package_that_does_not_arrive_installs_nothing_and_the_next_attempt_does() {
    let mut market = Marketplace::added();
    for directives in ["location /packages/ { return 404; }", "location /packages/ { return 403; }", "location /packages/ { return 444; }"]
    {
        market.nginx.restart_with(directives);
        let refused = market.world.refused(&["registry", "install", "alpha", "--yes"]);
        assert!(refused["hint"].is_string(), "{directives}: {refused}");
        assert_eq!(market.version("alpha"), None, "{directives}");
    }
    market.nginx.restart_with("");
    market.install("alpha");
    assert_eq!(market.version("alpha").as_deref(), Some("1.0.0"));
}

#[test]
fn an_update_that_does_not_fit_on_the_disk_leaves_the_installed_version() {
    const LIMIT_BLOCKS: usize = 8 * 1024;
    let market = Marketplace::added();
    market.install("alpha");
    // Random, so that it stays as long in the archive.
    let mut random = Seeded(7);
    let noise: Vec<u8> = (0..6_000_000).map(|_| random.below(256).to_le_bytes()[0]).collect();
    market.world.file("skills/alpha/noise.bin", &noise);
    skill(&market.world, "alpha", "1.1.0", "With noise.");
    market.publish();
    // Files of at most 4 MiB. Without the signal, writing more is an error.
    let limited = format!("trap '' XFSZ; ulimit -f {LIMIT_BLOCKS}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, INKLINGS, "--json", "--home", arg(&market.world.home()), "registry"]);
    let run = finish(command.args(["sync"]).env("HOME", market.world.person()).env("INKLINGS_KEYS", "file"));
    assert!(format!("{}{}", run.stdout, run.stderr).contains("File too large"), "{run:?}");
    assert_eq!(market.version("alpha").as_deref(), Some("1.0.0"));
    market.sync();
    market.world.json(&["registry", "update"]);
    assert_eq!(market.version("alpha").as_deref(), Some("1.1.0"));
    assert!(fs::metadata(market.world.home().join("agents.db")).unwrap().len() > 0);
}
