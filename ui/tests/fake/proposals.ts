// Proposals in memory: those of optimizations are made by the programs, compositions by the test. Validation finds what the test sets.
import type { AcceptedProposal, Diagnostic, Proposal } from '$lib/api/generated';
import type { FakePrograms } from './programs';
import type { SeedFile } from './seed';
import { fail, type FakeSkill, type FakeStore, type Handlers } from './store';

type ProposalOperations = Pick<Handlers, Extract<keyof Handlers, `proposal/${string}`>>;

interface CompositionBody {
  session: string | null;
  base_sha256: string | null;
  files: { path: string; content: string | null; edited: boolean; conflict: boolean }[];
}

interface SkillAccess {
  get: (id: string) => FakeSkill;
  write: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => { revision: number };
}

export class FakeProposals {
  /** What the validator finds in the proposed files. */
  diagnostics: Diagnostic[] = [];
  stale = false;
  /** Files in which a merge finds conflicts. */
  conflicting: string[] = [];
  readonly #store: FakeStore;
  readonly #programs: FakePrograms;
  readonly #skills: SkillAccess;

  constructor(store: FakeStore, programs: FakePrograms, skills: SkillAccess) {
    this.#store = store;
    this.#programs = programs;
    this.#skills = skills;
  }

  /** A composition of files; for a new skill without `skill`. */
  compose(files: Record<string, string | null>, skill?: string, more: Partial<Proposal> = {}): Proposal {
    const found = skill === undefined ? null : this.#store.find(skill).summary;
    return this.#programs.proposal({
      proposal_kind: 'composer', skill_scope: found?.scope ?? 'account', skill_id: found?.id ?? 'new-skill', skill_slug: found?.slug ?? 'release-notes', skill_revision: found?.revision ?? 0, artifact_path: null,
      title: 'Release notes', body: { session: null, base_sha256: found ? 'hash' : null, files: Object.entries(files).map(([path, content]) => ({ path, content, edited: false, conflict: false })) },
      ...more,
    });
  }

  readonly handlers: ProposalOperations = {
    'proposal/list': ({ status }) => {
      const { proposals } = this.#programs;
      return { proposals: proposals.filter((one) => !status || one.status === status), open: proposals.filter((one) => one.status === 'open').length };
    },
    'proposal/get': ({ id }) => this.#programs.get(id),
    'proposal/review': ({ id }) => this.#review(id),
    'proposal/edit': ({ id, path, content }) => {
      const body = this.#body(id);
      body.files = [...body.files.filter((one) => one.path !== path), { path, content, edited: true, conflict: false }].sort((a, b) => (a.path < b.path ? -1 : 1));
      return this.#review(id);
    },
    'proposal/rebase': ({ id }) => {
      this.stale = false;
      for (const file of this.#body(id).files) file.conflict = this.conflicting.includes(file.path);
      return this.#review(id);
    },
    'proposal/wrap': ({ skill, prompt }) => this.#review(this.compose({ 'dspy/module.json': '{}\n' }, skill, { artifact_path: prompt ?? null }).id),
    'proposal/accept': ({ id, paths }) => {
      const proposal = this.#programs.get(id);
      return proposal.proposal_kind === 'composer' ? this.#accept(proposal, paths ?? null) : this.#optimized(proposal);
    },
    'proposal/reject': ({ id }) => this.#programs.decide(id, 'rejected', null),
  };

  #body(id: string): CompositionBody {
    return this.#programs.get(id).body as CompositionBody;
  }

  #review(id: string): Proposal.ProposalReview {
    const [proposal, body] = [this.#programs.get(id), this.#body(id)];
    const present = body.base_sha256 === null ? null : this.#skills.get(proposal.skill_id).files;
    const files = body.files.map(({ path, content, edited, conflict }) => ({ path, before: present?.get(path)?.text ?? null, after: content, edited, conflict }));
    return { proposal, session: body.session, new_skill: body.base_sha256 === null, files, diagnostics: this.diagnostics, stale: this.stale };
  }

  #accept(proposal: Proposal, only: readonly string[] | null): AcceptedProposal {
    if (this.diagnostics.some((one) => one.severity === 'error')) throw fail('invalid', 'the proposed files aren’t valid');
    const files = this.#body(proposal.id).files.filter((one) => only === null || only.includes(one.path));
    const texts = Object.fromEntries(files.flatMap(({ path, content }) => (content === null ? [] : [[path, { text: content, role: 'file' as const }]])));
    const isNew = proposal.skill_revision === 0;
    const skill = isNew ? this.#store.add({ scope: 'account', slug: proposal.skill_slug, name: 'Release Notes', description: '', files: texts }) : this.#skills.get(proposal.skill_id);
    const revision = isNew ? 1 : this.#skills.write(skill, new Map([...skill.files, ...Object.entries(texts)]), proposal.title).revision;
    this.#programs.decide(proposal.id, 'accepted', revision);
    return { skill: skill.summary.slug, revision, forked: false };
  }

  #optimized(proposal: Proposal): AcceptedProposal {
    const skill = this.#skills.get(proposal.skill_id);
    const target = skill.summary.locked ? this.#store.add({ scope: 'account', slug: `${skill.summary.slug}-copy`, name: skill.summary.name, description: skill.summary.description, files: Object.fromEntries(skill.files) }) : skill;
    const { revision } = this.#skills.write(target, new Map([...target.files, ['dspy/checker.state.json', { text: '{}', role: 'state' as const }]]), 'optimized');
    this.#programs.decide(proposal.id, 'accepted', revision);
    return { skill: target.summary.slug, revision, forked: target !== skill };
  }
}
