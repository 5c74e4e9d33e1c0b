//! How the lifecycle of a skill changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::skill::{Head, Lifecycle, text_enum};
use crate::time::Time;

text_enum! {
    LifecycleAction {
        /// Raises a skill that a person reviewed.
        Promote = "promoted",
        /// Marks a skill whose quality has dropped.
        Degrade = "degraded",
        /// Advises against a skill. It can still be loaded by name.
        Deprecate = "deprecated",
        /// Retires a skill.
        Archive = "archived",
        /// Returns a skill to the state that it was last in use with.
        Reinstate = "reinstated",
    }
}

/// States in which a skill is in use. A degraded one is on its way out.
const IN_USE: &[Lifecycle] = &[Lifecycle::Candidate, Lifecycle::Verified, Lifecycle::Released];

/// Every change there is: the action, the state before it and the states that it may lead to. Only reinstating has a choice, which the
/// history of the skill makes.
const TRANSITIONS: &[(LifecycleAction, Lifecycle, &[Lifecycle])] = {
    use Lifecycle::{Archived, Candidate, Degraded, Deprecated, Released, Verified};
    use LifecycleAction::{Archive, Degrade, Deprecate, Promote, Reinstate};
    &[
        (Promote, Candidate, &[Verified]),
        (Promote, Verified, &[Released]),
        // One step below the top: a skill that failed in use was reviewed again, but hasn't proved itself again.
        (Promote, Degraded, &[Verified]),
        (Degrade, Candidate, &[Degraded]),
        (Degrade, Verified, &[Degraded]),
        (Degrade, Released, &[Degraded]),
        (Deprecate, Candidate, &[Deprecated]),
        (Deprecate, Verified, &[Deprecated]),
        (Deprecate, Released, &[Deprecated]),
        (Deprecate, Degraded, &[Deprecated]),
        (Archive, Candidate, &[Archived]),
        (Archive, Verified, &[Archived]),
        (Archive, Released, &[Archived]),
        (Archive, Degraded, &[Archived]),
        (Archive, Deprecated, &[Archived]),
        (Reinstate, Degraded, IN_USE),
        (Reinstate, Deprecated, IN_USE),
        (Reinstate, Archived, IN_USE),
    ]
};

/// Trust tier of a skill that a person reviewed, at least.
const REVIEWED_TIER: u8 = 2;

/// A change that the table has. A store applies it only to a skill that is still in the state `from` and of the revision, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleChange {
    pub action: LifecycleAction,
    pub from: Lifecycle,
    pub to: Lifecycle,
    /// After the change.
    pub trust_tier: u8,
    /// Why the skill isn't recommended, after the change.
    pub reason: Option<String>,
    /// The revision that it was decided on. [default: any]
    pub revision: Option<i64>,
}

/// A recorded change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleEntry {
    pub action: LifecycleAction,
    pub from: Lifecycle,
    pub to: Lifecycle,
    pub reason: Option<String>,
    /// Who made it.
    pub actor: String,
    pub at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a skill that is {} can't be {}", .from.as_str(), .action.as_str())]
pub struct IllegalTransition {
    pub action: LifecycleAction,
    pub from: Lifecycle,
}

impl Lifecycle {
    /// The states that an action may lead to. Empty if this state doesn't allow it.
    #[must_use]
    pub fn targets(self, action: LifecycleAction) -> &'static [Lifecycle] {
        TRANSITIONS.iter().find(|(one, from, _)| *one == action && *from == self).map_or(&[], |(_, _, targets)| targets)
    }

    /// Whether models aren't told of skills in this state, and people are advised against them.
    #[must_use]
    pub const fn is_retired(self) -> bool {
        matches!(self, Self::Deprecated | Self::Archived)
    }
}

impl LifecycleChange {
    /// `reason` is for deprecating and archiving; `history`, newest first, for reinstating.
    pub fn of(head: &Head, action: LifecycleAction, reason: Option<String>, history: &[LifecycleEntry]) -> Result<Self, IllegalTransition> {
        let from = head.lifecycle;
        let to = match from.targets(action) {
            [] => return Err(IllegalTransition { action, from }),
            [to] => *to,
            choice => {
                let before = history.iter().map(|entry| entry.from).find(|state| choice.contains(state));
                before.unwrap_or(Head::defaults(head.source, head.origin).0)
            }
        };
        let reason = match action {
            LifecycleAction::Promote | LifecycleAction::Reinstate => None,
            LifecycleAction::Degrade | LifecycleAction::Deprecate | LifecycleAction::Archive => {
                reason.or_else(|| head.deprecated_reason.clone())
            }
        };
        let trust_tier = if action == LifecycleAction::Promote { head.trust_tier.max(REVIEWED_TIER) } else { head.trust_tier };
        Ok(Self { action, from, to, trust_tier, reason, revision: None })
    }

    /// Whether a person vouches for the skill with it.
    #[must_use]
    pub fn is_validation(&self) -> bool {
        self.action == LifecycleAction::Promote
    }

    pub fn apply_to(&self, head: &mut Head) {
        head.lifecycle = self.to;
        head.trust_tier = self.trust_tier;
        head.deprecated_reason.clone_from(&self.reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::SkillId;
    use crate::skill::{Origin, Scope, Source};

    const STATES: [Lifecycle; 6] = {
        use Lifecycle::{Archived, Candidate, Degraded, Deprecated, Released, Verified};
        [Candidate, Verified, Released, Degraded, Deprecated, Archived]
    };

    fn head(origin: Origin, lifecycle: Lifecycle) -> Head {
        let new = Head::new(SkillId::new(uuid::Uuid::nil()), Scope::Account, Source::User, origin, Time::from_millis(0));
        Head { lifecycle, ..new }
    }

    fn entry(from: Lifecycle, to: Lifecycle) -> LifecycleEntry {
        let action = if to == Lifecycle::Archived { LifecycleAction::Archive } else { LifecycleAction::Deprecate };
        LifecycleEntry { action, from, to, reason: None, actor: "local".to_owned(), at: Time::from_millis(0) }
    }

    #[test]
    fn every_pair_of_an_action_and_a_state_leads_where_the_table_says() {
        use Lifecycle::{Archived, Degraded, Deprecated, Released, Verified};
        use LifecycleAction::{Archive, Degrade, Deprecate, Promote, Reinstate};
        // In the order of `STATES`. Reinstating without a history leads to the state of a new skill of a person.
        let expected: [(LifecycleAction, [Option<Lifecycle>; 6]); 5] = [
            (Promote, [Some(Verified), Some(Released), None, Some(Verified), None, None]),
            (Degrade, [Some(Degraded), Some(Degraded), Some(Degraded), None, None, None]),
            (Deprecate, [Some(Deprecated), Some(Deprecated), Some(Deprecated), Some(Deprecated), None, None]),
            (Archive, [Some(Archived), Some(Archived), Some(Archived), Some(Archived), Some(Archived), None]),
            (Reinstate, [None, None, None, Some(Released), Some(Released), Some(Released)]),
        ];
        for (action, targets) in expected {
            for (from, to) in STATES.into_iter().zip(targets) {
                let change = LifecycleChange::of(&head(Origin::Human, from), action, None, &[]);
                assert_eq!(change.as_ref().ok().map(|change| change.to), to, "{action:?} {from:?}");
                assert_eq!(change.err(), to.is_none().then_some(IllegalTransition { action, from }), "{action:?} {from:?}");
            }
        }
    }

    #[test]
    fn a_new_skill_has_the_state_and_tier_of_its_source() {
        use Lifecycle::{Candidate, Released, Verified};
        let expected = [
            (Source::System, (Released, 4), (Released, 4)),
            (Source::Community, (Verified, 2), (Verified, 2)),
            (Source::Imported, (Verified, 2), (Verified, 2)),
            (Source::User, (Released, 3), (Candidate, 1)),
        ];
        for (source, of_human, of_llm) in expected {
            for (origin, expected) in [(Origin::Human, of_human), (Origin::Llm, of_llm)] {
                let head = Head::new(SkillId::new(uuid::Uuid::nil()), Scope::Account, source, origin, Time::from_millis(0));
                assert_eq!((head.lifecycle, head.trust_tier), expected, "{source:?} {origin:?}");
            }
        }
    }

    #[test]
    fn a_skill_is_reinstated_as_what_it_was_last_in_use() {
        use Lifecycle::{Archived, Candidate, Deprecated, Released, Verified};
        let reinstated = |origin, history: &[LifecycleEntry]| {
            LifecycleChange::of(&head(origin, Archived), LifecycleAction::Reinstate, None, history).unwrap().to
        };
        assert_eq!(reinstated(Origin::Human, &[entry(Deprecated, Archived), entry(Verified, Deprecated)]), Verified);
        assert_eq!(
            reinstated(Origin::Human, &[entry(Deprecated, Archived), entry(Verified, Deprecated), entry(Released, Deprecated)]),
            Verified
        );
        assert_eq!(reinstated(Origin::Llm, &[]), Candidate, "no review is made up");
    }

    #[test]
    fn a_reason_lasts_until_the_skill_is_recommended_again() {
        let mut head = head(Origin::Llm, Lifecycle::Candidate);
        let mut change = |action, reason: Option<&str>| {
            LifecycleChange::of(&head, action, reason.map(str::to_owned), &[]).unwrap().apply_to(&mut head);
            (head.lifecycle, head.trust_tier, head.deprecated_reason.clone())
        };
        let old = || Some("old".to_owned());
        assert_eq!(change(LifecycleAction::Deprecate, Some("old")), (Lifecycle::Deprecated, 1, old()));
        assert_eq!(change(LifecycleAction::Archive, None), (Lifecycle::Archived, 1, old()));
        assert_eq!(change(LifecycleAction::Reinstate, None), (Lifecycle::Candidate, 1, None));
        assert_eq!(change(LifecycleAction::Promote, Some("ignored")), (Lifecycle::Verified, 2, None));
    }

    #[test]
    fn a_refusal_says_the_state() {
        let error = LifecycleChange::of(&head(Origin::Human, Lifecycle::Released), LifecycleAction::Promote, None, &[]).unwrap_err();
        assert_eq!(error.to_string(), "a skill that is released can't be promoted");
    }
}
