//! `inklings kit`

use inklings_app::features::kit::{ChangeKit, ChangeKitParams, DeleteKit, DeleteKitParams, Kit, KitList, ListKits};
use inklings_core::Slug;
use inklings_rpc::NoParams;

use crate::args::KitCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: KitCommand, out: &Out) -> Result<(), CliError> {
    let change = |name: String| ChangeKitParams { name, ..ChangeKitParams::default() };
    let params = match command {
        KitCommand::List => return out.result(&session.call::<ListKits>(NoParams {}).await?, list),
        KitCommand::Delete { kit } => {
            let deleted = session.call::<DeleteKit>(DeleteKitParams { name: kit.clone() }).await?;
            return out.result(&deleted, |_| format!("deleted {kit}"));
        }
        KitCommand::Add { kit, skills } => ChangeKitParams { add: skills, ..change(kit) },
        KitCommand::Remove { kit, skills } => ChangeKitParams { remove: skills, ..change(kit) },
        KitCommand::Rename { kit, to } => ChangeKitParams { rename: Some(to), ..change(kit) },
    };
    out.result(&session.call::<ChangeKit>(params).await?, |kit| format!("{}: {}", kit.name, skills(kit)))
}

fn list(list: &KitList) -> String {
    if list.kits.is_empty() {
        return "no kits".to_owned();
    }
    table(&list.kits.iter().map(|kit| vec![kit.name.clone(), skills(kit)]).collect::<Vec<_>>())
}

fn skills(kit: &Kit) -> String {
    let slugs: Vec<_> = kit.skills.iter().map(Slug::as_str).collect();
    if slugs.is_empty() { "no skills".to_owned() } else { slugs.join(", ") }
}
