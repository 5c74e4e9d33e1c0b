import type { SkillOverview } from '$lib/api';
import type { Scope } from '$lib/api/generated';
import type { Services } from './services';

type Needs = Pick<Services, 'documents' | 'layout' | 'palette' | 'tabs' | 'tree' | 'treeInput' | 'workspace'>;

/** What commands on skills act on. */
class SelectedSkill {
  readonly #services: Needs;
  readonly #default: () => SkillOverview | null;

  constructor(services: Needs, otherwise: () => SkillOverview | null) {
    this.#services = services;
    this.#default = otherwise;
  }

  /** The one at the tree's cursor if the tree has the focus, or had it when the palette was opened. */
  get skill(): SkillOverview | null {
    const { palette, tree, treeInput } = this.#services;
    return treeInput.focused || palette.isFromTree ? tree.cursor.skill : this.#default();
  }

  readonly exists = (): boolean => this.#services.layout.view === 'editor' && this.skill !== null;

  readonly canEdit = (): boolean => this.exists() && this.skill?.locked === false;

  /** Returns a command's `run` that is called with the skill. */
  readonly with = (run: (skill: SkillOverview) => unknown) => (): unknown => {
    const { skill } = this;
    return skill ? run(skill) : undefined;
  };
}

/** Conditions for the `when` of commands. */
export class Context {
  readonly selected: SelectedSkill;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.selected = new SelectedSkill(services, () => this.skill);
  }

  /** The skill of the active document, else the one at the tree's cursor. */
  get skill(): SkillOverview | null {
    const { tabs, documents, tree } = this.#services;
    return tabs.document ? (documents.skillOf(tabs.document) ?? null) : tree.cursor.skill;
  }

  /** The scope of new skills. */
  get defaultScope(): Scope {
    return this.#services.workspace.current?.writable ? 'workspace' : 'account';
  }

  /** Whether there is no room for the inspector beside what the editors show: one text, or several side by side. */
  readonly isCrowded = $derived.by(() => {
    const { tabs, layout } = this.#services;
    const { width, isNarrow } = layout.window;
    // The Start page has nothing to inspect.
    if (isNarrow || tabs.active === null) return true;
    // The columns of a feature's view need more room than two texts.
    if (tabs.active.kind === 'view') return width < 1500;
    return (tabs.active.kind === 'comparison' || tabs.document?.conflict.shown != null || tabs.groups.layout.hasColumns) && width < 1100;
  });

  readonly inEditor = (): boolean => this.#services.layout.view === 'editor';

  readonly hasSkill = (): boolean => this.inEditor() && this.skill !== null;

  readonly hasTab = (): boolean => this.inEditor() && this.#services.tabs.groups.active.activeId !== null;

  readonly hasText = (): boolean => this.inEditor() && this.#services.tabs.document?.file.text != null;

  readonly isDirty = (): boolean => this.#services.tabs.document?.content.dirty === true;

  readonly canEdit = (): boolean => this.hasSkill() && this.skill?.locked === false;

  /** Returns a command's `run` that is called with `skill`. */
  readonly withSkill = (run: (skill: SkillOverview) => unknown) => (): unknown => {
    const { skill } = this;
    return skill ? run(skill) : undefined;
  };
}
