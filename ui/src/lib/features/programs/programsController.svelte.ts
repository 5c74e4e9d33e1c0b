import { Programs, type SkillKey } from '$lib/api';
import { plural } from '$lib/domain';
import { type Document, loadedText } from '$lib/features/editor';
import type { Target } from '$lib/features/programs';
import type { Optimize } from '$lib/api/generated';
import type { Optimizations } from './optimizations.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'catalog' | 'client' | 'documents' | 'editor' | 'feed' | 'files' | 'layout' | 'notifications' | 'proposals' | 'settings' | 'settingsPage'
  | 'tabs' | 'toasts' | 'treeActions' | 'workspace'
>;

interface StateRemoval {
  skill: SkillKey;
  path: string;
}

/** Setting: the DSPy version whose outdated programs were announced. */
const ANNOUNCED = 'ui.dspy_announced';

/** DSPy programs and their process. Optimization is loaded with the first program, not with the window. */
export class ProgramsController {
  readonly programs: Programs;
  optimizations = $state.raw<Optimizations | null>(null);
  /** The state to remove after confirmation. */
  removing = $state.raw<StateRemoval | null>(null);
  readonly #services: Needs;
  /** The active DSPy module. */
  readonly program = $derived.by(() => {
    const document = loadedText(this.#services.tabs.document);
    return document && customEditorOf(document) === 'form' ? document : null;
  });

  constructor(services: Needs) {
    this.#services = services;
    this.programs = new Programs(services.client, services.feed, (dspy) => void this.#announce(dspy));
  }

  async load(): Promise<Optimizations | null> {
    try {
      const { Optimizations } = await import('./optimizations.svelte');
      this.optimizations ??= new Optimizations(this.#services.client, this.#services.feed, {
        target: () => this.program?.file.key ?? null,
        save: (target, source) => this.#services.documents.saveForRun(target, source?.from === 'file' ? [target.path, source.path] : [target.path]),
        trust: () => this.#services.workspace.trust.ask('Trust and optimize'),
        ended: (target, outcome) => this.#ended(target, outcome),
        reoptimized: (proposals) => this.#reoptimized(proposals),
      });
      return this.optimizations;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the optimizer', cause, () => this.load());
      return null;
    }
  }

  showOptimize(): void {
    this.#services.layout.inspector.show('optimize');
  }

  /** Removes the state; can be undone. */
  removeState(): void {
    const removing = this.removing;
    this.removing = null;
    const skill = removing && this.#services.catalog.summary(removing.skill);
    if (skill) this.#services.treeActions.removeFile(skill, removing.path);
  }

  openSettings(): void {
    this.#services.settingsPage.open('dspy');
  }

  openProgram({ scope, skill, path }: Pick<Optimize.OutdatedArtifact, 'scope' | 'skill' | 'path'>): void {
    const found = this.#services.catalog.skills.find((one) => one.scope === scope && one.slug === skill);
    if (!found) return;
    this.#services.files.open(found, path);
    this.showOptimize();
  }

  /** Opens the first DSPy module. */
  openFirstProgram(): void {
    const skill = this.#services.catalog.skills.find((one) => one.kinds.includes('dspy_module') && !one.shadowed);
    if (skill) void this.#openFirst(skill);
    else this.#services.toasts.show('No DSPy modules found.', { hint: 'Create one with “New file”.' });
  }

  async retry(): Promise<void> {
    this.openSettings();
    this.#services.notifications.reportFailure('Couldn’t start DSPy', await this.programs.retry());
  }

  async reoptimize(): Promise<void> {
    this.openSettings();
    const reoptimization = (await this.load())?.reoptimization;
    await reoptimization?.outdated.load();
    if (reoptimization && reoptimization.outdated.reoptimizable.length > 0) await reoptimization.start();
  }

  async #openFirst(skill: SkillKey): Promise<void> {
    const detail = await this.#services.catalog.details.load(skill);
    const path = detail?.entries.find((entry) => entry.artifact?.kind === 'dspy_module')?.path;
    if (path === undefined) return;
    this.#services.files.open(skill, path);
    this.showOptimize();
  }

  /** Announces outdated programs once per DSPy version. Doesn't start the process. */
  async #announce(dspy: string): Promise<void> {
    const { client, settings, layout, toasts } = this.#services;
    // Another window may have announced it.
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
      // The settings show the failure.
    }
  }

  #ended(target: Target, { run, proposal }: Optimize.OptimizeOutcome): void {
    const isActive = this.#services.layout.view === 'editor' && this.program?.file.path === target.path && this.program.file.skill.id === target.skillId;
    if (isActive) return;
    if (!proposal) {
      if (run.status === 'ok') this.#services.toasts.show(`No better state found for ${run.traces.at(-1)?.artifact_name ?? target.path}`);
      return;
    }
    this.#services.toasts.show(`Optimized: ${proposal.title}`, { actions: [{ label: 'Review', run: () => this.#services.proposals.open(proposal.id) }] });
  }

  #reoptimized(proposals: readonly string[]): void {
    const count = proposals.length;
    const message = count === 0 ? 'Re-optimization found no improvement' : `Re-optimized: ${plural(count, 'proposal')} to review`;
    this.#services.toasts.show(message, count === 0 ? {} : { actions: [{ label: 'Review', run: () => this.#services.proposals.open(proposals[0]) }] });
  }
}

const CUSTOM_EDITOR_LABELS = { form: 'Form', state: 'State' } as const;

export function customEditorOf({ file: { entry, path } }: Document): keyof typeof CUSTOM_EDITOR_LABELS | null {
  if (!path.toLowerCase().endsWith('.json')) return null;
  if (entry?.artifact?.kind === 'dspy_module') return 'form';
  return entry?.role === 'state' ? 'state' : null;
}

export function customEditorLabelOf(document: Document): string | null {
  const editor = customEditorOf(document);
  return editor && CUSTOM_EDITOR_LABELS[editor];
}
