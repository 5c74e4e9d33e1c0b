use std::collections::BTreeMap;

use inklings_core::graph::{Reachable, reachable};
use inklings_core::name::fold;
use inklings_core::{RelationKind, Scope, Skill, SkillCatalog, Slug, StorageError};

use super::api::{RelatedSkill, RelatedSkills};

/// A skill by scope and slug, or the name of one that doesn't exist.
type Node = (Option<Scope>, String);

/// What is told of the skills that were met, and what they need.
#[derive(Default)]
struct Visited(BTreeMap<Node, Skill>);

impl Visited {
    fn add(&mut self, skill: Skill) -> Node {
        let node = (Some(skill.head.scope), skill.package.slug.to_string());
        self.0.insert(node.clone(), skill);
        node
    }

    fn related(&self, found: Reachable<Node>) -> RelatedSkills {
        let related = |(node, depth): (Node, u32)| {
            let skill = self.0.get(&node);
            RelatedSkill {
                title: skill.map(|skill| skill.package.name.clone()),
                lifecycle: skill.map(|skill| skill.head.lifecycle),
                enabled: skill.map(|skill| skill.head.enabled),
                scope: node.0,
                name: node.1,
                depth,
            }
        };
        RelatedSkills {
            skills: found.nodes.into_iter().map(related).collect(),
            cycle: found.cycle.map(|cycle| cycle.into_iter().map(|(_, name)| name).collect()),
        }
    }
}

/// The skills that a skill needs, and what these need. Names mean the visible skills.
pub(crate) fn dependencies_of(catalog: &SkillCatalog, skill: Skill) -> Result<RelatedSkills, StorageError> {
    let mut visited = Visited::default();
    let start = visited.add(skill);
    let found = reachable(start, |level| {
        level
            .iter()
            .map(|node| {
                let targets: Vec<String> = visited
                    .0
                    .get(node)
                    .map_or_else(Vec::new, |skill| skill.package.related(RelationKind::DependsOn).map(str::to_owned).collect());
                let node_of = |target: String| {
                    Ok(match catalog.find(&target, None)? {
                        Some(skill) => visited.add(skill),
                        None => (None, target),
                    })
                };
                targets.into_iter().map(node_of).collect()
            })
            .collect::<Result<Vec<Vec<Node>>, StorageError>>()
    })?;
    Ok(visited.related(found))
}

/// The skills of both scopes that need a skill, and those that need these.
pub(crate) fn dependents_of(catalog: &SkillCatalog, skill: Skill) -> Result<RelatedSkills, StorageError> {
    let mut visited = Visited::default();
    let start = visited.add(skill);
    let found = reachable(start, |level| {
        let names: Vec<(Slug, String)> = level
            .iter()
            .filter_map(|node| visited.0.get(node))
            .map(|skill| (skill.package.slug.clone(), fold(&skill.package.name)))
            .collect();
        let mut all = vec![Vec::new(); names.len()];
        for scope in [Scope::Workspace, Scope::Account] {
            let Some(repository) = catalog.repository(scope) else { continue };
            for (dependents, slugs) in all.iter_mut().zip(repository.dependents(&names)?) {
                for slug in slugs {
                    dependents.extend(catalog.find(&slug, Some(scope))?.map(|skill| visited.add(skill)));
                }
            }
        }
        Ok::<_, StorageError>(all)
    })?;
    Ok(visited.related(found))
}
