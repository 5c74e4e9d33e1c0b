import type { SkillOverview } from '$lib/api';
import type { Scope } from '$lib/api/generated';
import type { Services } from './services';

type Needs = Pick<Services, 'documents' | 'layout' | 'palette' | 'tabs' | 'tree' | 'treeInput' | 'workspace'>;

/** A skill that commands act on, and what their `when` asks of it. */
class CommandSkill {
  readonly #layout: Services['layout'];
  readonly #find: () => SkillOverview | null;

  constructor(layout: Services['layout'], find: () => SkillOverview | null) {
    this.#layout = layout;
    this.#find = find;
  }

  get skill(): SkillOverview | null {
    return this.#find();
  }

  readonly exists = (): boolean => this.#layout.view === 'editor' && this.skill !== null;

  readonly canEdit = (): boolean => this.exists() && this.skill?.locked === false;

  /** Returns a command's `run` that is called with the skill. */
  readonly with = (run: (skill: SkillOverview) => unknown) => (): unknown => {
    const { skill } = this;
    return skill ? run(skill) : undefined;
  };
}

/** Conditions for the `when` of commands. */
export class Context {
  /** The skill of the active document, else the one at the tree's cursor. */
  readonly shown: CommandSkill;
  /** The skill at the tree's cursor if the tree has the focus, or had it when the palette was opened, else the shown one. */
  readonly selected: CommandSkill;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.shown = new CommandSkill(services.layout, () => {
      const { tabs, documents, tree } = this.#services;
      return tabs.document ? (documents.skillOf(tabs.document) ?? null) : tree.cursor.skill;
    });
    this.selected = new CommandSkill(services.layout, () => {
      const { palette, tree, treeInput } = this.#services;
      return treeInput.focused || palette.isFromTree ? tree.cursor.skill : this.skill;
    });
  }

  get skill(): SkillOverview | null {
    return this.shown.skill;
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

  readonly hasTab = (): boolean => this.inEditor() && this.#services.tabs.groups.active.activeId !== null;

  readonly hasText = (): boolean => this.inEditor() && this.#services.tabs.document?.file.text != null;

  readonly isDirty = (): boolean => this.#services.tabs.document?.content.dirty === true;
}
