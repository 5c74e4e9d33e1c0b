import type { Brief } from '$lib/api';
import type { Scope } from '$lib/api/generated';
import type { Services } from './services';

/** What is in front, as commands ask for it in their `when`. */
export class Context {
  readonly #services: Pick<Services, 'tabs' | 'layout' | 'files' | 'tree' | 'workspace'>;

  constructor(services: Pick<Services, 'tabs' | 'layout' | 'files' | 'tree' | 'workspace'>) {
    this.#services = services;
  }

  /** The skill of the file in front, else the one that the tree's cursor is on. */
  get skill(): Brief | null {
    const { tabs, files, tree } = this.#services;
    return tabs.document ? (files.skillOf(tabs.document) ?? null) : tree.skill;
  }

  /** Where something new goes unless a scope is chosen. */
  get defaultScope(): Scope {
    return this.#services.workspace.current?.writable ? 'workspace' : 'account';
  }

  /** Two texts are side by side in a small window: they need the room that the inspector has. */
  readonly isCrowded = $derived.by(() => {
    const { tabs, layout } = this.#services;
    return (tabs.active?.kind === 'comparison' || tabs.document?.conflict != null || tabs.hasColumns) && layout.windowWidth < 1100;
  });

  readonly inEditor = (): boolean => this.#services.layout.view === 'editor';

  readonly hasSkill = (): boolean => this.inEditor() && this.skill !== null;

  readonly hasTab = (): boolean => this.inEditor() && this.#services.tabs.activeId !== null;

  readonly hasText = (): boolean => this.inEditor() && this.#services.tabs.document?.saved != null;

  readonly isDirty = (): boolean => this.#services.tabs.document?.dirty === true;

  readonly canEdit = (): boolean => this.hasSkill() && this.skill?.locked === false;

  /** What a command does with the skill in front. */
  readonly withSkill = (run: (skill: Brief) => unknown) => (): unknown => {
    const { skill } = this;
    return skill ? run(skill) : undefined;
  };
}
