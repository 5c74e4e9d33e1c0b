import { Programs, Proposals, type SkillKey } from '$lib/api';
import { plural } from '$lib/domain';
import type { Document } from '$lib/features/editor';
import type { Target } from '$lib/features/programs';
import type { Accepted, OptimizeOutcome, Outdated, Proposal } from '$lib/api/generated';
import type { Optimizations } from './optimizations.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'catalog' | 'client' | 'compare' | 'editor' | 'feed' | 'files' | 'layout' | 'notifications' | 'settings' | 'settingsPage' | 'tabs'
  | 'toasts' | 'treeActions' | 'workspace'
>;

interface Deciding {
  proposal: Proposal;
  verdict: 'accept' | 'reject';
}

interface Removing {
  skill: SkillKey;
  path: string;
}

/** The version of DSPy for which it was said what another one optimized. */
const ANNOUNCED = 'ui.dspy_announced';

/** The way to DSPy programs and to proposals. What optimizing needs comes with the first program, not with the window. */
export class ProgramsController {
  readonly programs: Programs;
  readonly proposals: Proposals;
  optimizations = $state.raw<Optimizations | null>(null);
  /** A proposal that a person is about to decide about. */
  deciding = $state.raw<Deciding | null>(null);
  /** A state that is asked about before it goes. */
  removing = $state.raw<Removing | null>(null);
  readonly #services: Needs;
  /** The program in front. */
  readonly program = $derived.by(() => {
    const document = this.#services.tabs.document;
    return document?.status === 'ready' && document.saved !== null && customEditorOf(document) === 'form' ? document : null;
  });

  constructor(services: Needs) {
    this.#services = services;
    this.programs = new Programs(services.client, services.feed, (dspy) => void this.#announce(dspy));
    this.proposals = new Proposals(services.client, services.feed);
  }

  async load(): Promise<Optimizations | null> {
    try {
      const { Optimizations } = await import('./optimizations.svelte');
      this.optimizations ??= new Optimizations(this.#services.client, this.#services.feed, {
        target: () => this.program && { scope: this.program.scope, skillId: this.program.skillId, path: this.program.path },
        save: (target, source) => this.#services.files.saveForRun(target, source?.from === 'file' ? [target.path, source.path] : [target.path]),
        trust: () => this.#services.workspace.askTrust('Trust and optimize'),
        ended: (target, outcome) => this.#ended(target, outcome),
        repeated: (proposals) => this.#repeated(proposals),
      });
      return this.optimizations;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the optimizer', cause, () => this.load());
      return null;
    }
  }

  /** Another workspace is open. */
  reset(): void {
    this.deciding = null;
    this.proposals.reset();
  }

  showOptimize(): void {
    this.#services.layout.showInspectorTab('optimize');
  }

  /** Shows the form or the state's cards, or the text. */
  switchFace(): void {
    const { editor, tabs } = this.#services;
    if (!tabs.document) return;
    editor.showText(tabs.document.id, !editor.textShown(tabs.document.id));
    tabs.group.focusRequest.send();
  }

  openProposals(id?: string): void {
    this.#services.layout.view = 'proposals';
    if (id !== undefined) void this.proposals.select(id);
  }

  /** What was asked about goes; it can be undone. */
  removeState(): void {
    const removing = this.removing;
    this.removing = null;
    const skill = removing && this.#services.catalog.summary(removing.skill);
    if (skill) this.#services.treeActions.removeFile(skill, removing.path);
  }

  openSettings(): void {
    this.#services.settingsPage.open('dspy');
  }

  openProgram({ scope, skill, path }: Pick<Outdated, 'scope' | 'skill' | 'path'>): void {
    const found = this.#services.catalog.skills.find((one) => one.scope === scope && one.slug === skill);
    if (!found) return;
    this.#services.files.open(found, path);
    this.showOptimize();
  }

  /** Some program, to try it with. */
  tryOne(): void {
    const skill = this.#services.catalog.skills.find((one) => one.kinds.includes('dspy_module') && !one.shadowed);
    if (skill) void this.#openFirst(skill);
    else this.#services.toasts.show('No DSPy modules found.', { hint: 'Create one with “New file”.' });
  }

  async retry(): Promise<void> {
    this.openSettings();
    this.#services.notifications.reportFailure('Couldn’t start DSPy', await this.programs.retry());
  }

  /** Optimizes again what another version of DSPy optimized. */
  async again(): Promise<void> {
    this.openSettings();
    const again = (await this.load())?.again;
    await again?.load();
    if (again && again.able.length > 0) await again.start();
  }

  decide(verdict: Deciding['verdict'], proposal = this.proposals.shown): void {
    if (proposal?.status === 'open') this.deciding = { proposal, verdict };
  }

  async accepted(proposal: Proposal, { skill, revision, forked }: Accepted): Promise<void> {
    const { client, catalog, toasts } = this.#services;
    const ref = forked ? { skill } : { skill: proposal.skill_id, scope: proposal.skill_scope };
    try {
      const detail = await client.call('skill/get', ref);
      catalog.put(detail);
      catalog.refresh();
      toasts.show(forked ? `Duplicated ${detail.name} and accepted the proposal` : `Accepted the proposal as revision ${revision} of ${detail.name}`, {
        tone: 'ok',
        actions: [{ label: 'Show history', run: () => this.openHistory(detail, proposal.artifact_path) }],
      });
    } catch (cause) {
      this.#services.notifications.report('Accepted the proposal, but couldn’t load the skill', cause);
    }
  }

  openHistory(skill: SkillKey, path: string | null): void {
    if (path === null) void this.#services.files.openSkill(skill);
    else this.#services.files.open(skill, path);
    this.#services.compare.showHistory(false);
  }

  async #openFirst(skill: SkillKey): Promise<void> {
    const detail = await this.#services.catalog.load(skill);
    const path = detail?.entries.find((entry) => entry.artifact?.kind === 'dspy_module')?.path;
    if (path === undefined) return;
    this.#services.files.open(skill, path);
    this.showOptimize();
  }

  /** Says once for each version of DSPy what another one compiled, at the first start after an update. Asking starts no process. */
  async #announce(dspy: string): Promise<void> {
    const { client, settings, layout, toasts } = this.#services;
    // Another window may have said it.
    await settings.load();
    if (settings.get(ANNOUNCED) === dspy) return;
    try {
      const { artifacts } = await client.call('optimize/outdated', {});
      settings.set(ANNOUNCED, dspy);
      if (artifacts.length === 0) return;
      if (layout.view === 'settings' && this.#services.settingsPage.section === 'dspy') return;
      toasts.show(`${plural(artifacts.length, 'program')} compiled with another DSPy version`, {
        hint: `Re-optimizing with DSPy ${dspy} may improve ${artifacts.length === 1 ? 'it' : 'them'}.`,
        actions: [{ label: 'Review', run: () => this.openSettings() }],
      });
    } catch {
      // The settings say it too, with a way to try again.
    }
  }

  #ended(target: Target, { run, proposal }: OptimizeOutcome): void {
    const inFront = this.#services.layout.view === 'editor' && this.program?.path === target.path && this.program.skillId === target.skillId;
    if (inFront) return;
    if (!proposal) {
      if (run.status === 'ok') this.#services.toasts.show(`No better state found for ${run.traces.at(-1)?.artifact_name ?? target.path}`);
      return;
    }
    this.#services.toasts.show(`Optimized: ${proposal.title}`, { actions: [{ label: 'Review', run: () => this.openProposals(proposal.id) }] });
  }

  #repeated(proposals: readonly string[]): void {
    const count = proposals.length;
    const message = count === 0 ? 'Re-optimization found no improvement' : `Re-optimized: ${plural(count, 'proposal')} to review`;
    this.#services.toasts.show(message, count === 0 ? {} : { actions: [{ label: 'Review', run: () => this.openProposals(proposals[0]) }] });
  }
}

const CUSTOM_EDITOR_LABELS = { form: 'Form', state: 'State' } as const;

export function customEditorOf({ entry, path }: Document): keyof typeof CUSTOM_EDITOR_LABELS | null {
  if (!path.toLowerCase().endsWith('.json')) return null;
  if (entry?.artifact?.kind === 'dspy_module') return 'form';
  return entry?.role === 'state' ? 'state' : null;
}

export function customEditorLabelOf(document: Document): string | null {
  const editor = customEditorOf(document);
  return editor && CUSTOM_EDITOR_LABELS[editor];
}
