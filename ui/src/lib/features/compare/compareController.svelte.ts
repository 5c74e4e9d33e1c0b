import { type SkillOverview, skillKey, type SkillKey } from '$lib/api';
import { baseName } from '$lib/domain';
import { ComparisonOptions, type CompareRequest, Comparison, type Document } from '$lib/features/editor';
import type { Compare, RevisionFile, Skill } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'feed' | 'files' | 'layout' | 'notifications' | 'settings' | 'tabs' | 'toasts'
>;

export interface ChosenFile {
  key: SkillKey;
  path: string;
}

/** Opens comparisons of revisions, files, skills of the same name, and copies in the folders of other agents. */
export class CompareController {
  readonly options: ComparisonOptions;
  /** "Select for compare". */
  chosen = $state.raw<ChosenFile | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.options = new ComparisonOptions(services.settings);
    services.catalog.details.onChange((key) => {
      for (const { tab } of this.#shown) if (tab.comparison.info.follows.includes(skillKey(key))) void tab.comparison.load();
    });
  }

  get active(): Comparison | null {
    const { active } = this.#services.tabs;
    return active?.kind === 'comparison' ? active.comparison : null;
  }

  /** Two revisions of a skill: one file of them, or all that differ. */
  revisions(skill: SkillOverview, left: number, right: number, path: string | null): void {
    const now = skill.revision === right;
    const what = path === null ? skill.name : baseName(path);
    const open = (file: string): void => this.#services.files.open(skill, file);
    this.#open({
      id: `${skillKey(skill)}@${left}-${right}/${path ?? ''}`,
      ...titled(what, `${left === 0 ? 'new' : left} → ${right}`),
      leftLabel: left === 0 ? 'Before the first revision' : `Revision ${left}`,
      rightLabel: now ? `Revision ${right} (current)` : `Revision ${right}`,
      actions: [
        ...(skill.locked || left === 0 || !now ? [] : [{ label: `Restore revision ${left}`, title: `Restore the file from revision ${left}`, run: (file: string) => this.#services.actions.restoreFile(skill, left, file) }]),
        { label: 'Open file', title: 'Open the current file', when: (file) => file.change !== 'removed', run: open },
      ],
      ...this.#between(versionOf(skill, left), versionOf(skill, right), path),
    });
  }

  /** The skill on the right; on the left, the skill of the same name in the other scope, or the one it was duplicated from. */
  withSkill(skill: SkillOverview, other: Skill.OtherSkill): void {
    const named = (one: { scope: string; name: string }): string => (other.slug === skill.slug ? (one.scope === 'workspace' ? 'Workspace' : 'Account') : one.name);
    this.#open({
      id: `${skillKey(skill)}~${skillKey(other)}`,
      ...(other.slug === skill.slug ? titled(skill.name, `${other.scope} ↔ ${skill.scope}`) : { title: `${other.name} ↔ ${skill.name}` }),
      leftLabel: named(other),
      rightLabel: named(skill),
      follows: [skillKey(skill), skillKey(other)],
      ...this.#between(versionOf(other), versionOf(skill), null),
    });
  }

  withCopy(skill: SkillOverview, copy: Skill.SkillCopy): void {
    this.#open({
      id: `${skillKey(skill)}~${copy.path}`,
      ...titled(skill.name, copy.agent),
      leftLabel: copy.folder,
      rightLabel: `Here, revision ${skill.revision}`,
      follows: [skillKey(skill)],
      actions: [{ label: 'Copy path', run: (path) => this.#services.clipboard.copy(`${copy.path}/${path}`, 'the path') }],
      ...this.#between({ ...versionOf(skill), copy: copy.path }, versionOf(skill), null),
    });
  }

  /** The other scope's skill of the same name, if there is one. */
  async withOtherScope(skill: SkillOverview): Promise<void> {
    const locations = await this.#locations(skill);
    if (locations?.other) this.withSkill(skill, locations.other);
    else if (locations) this.#services.toasts.show(`No other skill named ${skill.slug} found.`);
  }

  async withParent(skill: SkillOverview): Promise<void> {
    const locations = await this.#locations(skill);
    const parent = locations?.parent ?? locations?.other;
    if (parent) this.withSkill(skill, parent);
    else if (locations) this.#services.toasts.show(`The skill that ${skill.name} was duplicated from was deleted.`);
  }

  withSaved(document: Document): void {
    const key = document.file.skill;
    this.#open({
      id: `${skillKey(key)}/${document.file.path}~draft`,
      ...titled(baseName(document.file.path), 'unsaved'),
      leftLabel: `Saved, revision ${document.file.revision}`,
      rightLabel: 'Unsaved',
      path: document.file.path,
      follows: [skillKey(key)],
      actions: [{ label: 'Open file', title: 'Open the file', run: (path) => this.#services.files.open(key, path) }],
      ...alone(document.file.path, async () => {
        await document.sync.applied;
        return { left: textOf(document.file.text), right: textOf(document.content.text()) };
      }),
    });
  }

  select(file: ChosenFile): void {
    this.chosen = file;
    this.#services.toasts.show(`Selected ${baseName(file.path)} for compare`, { hint: 'Choose “Compare with selected” on another file.', lasts: 4_000 });
  }

  /** Two files, with their unsaved text. */
  withSelected(file: ChosenFile): void {
    const { chosen } = this;
    if (!chosen || same(chosen, file)) return;
    const [left, right] = [this.#side(chosen), this.#side(file)];
    this.#open({
      id: `${left.id}~${right.id}`,
      title: `${baseName(chosen.path)} ↔ ${baseName(file.path)}`,
      leftLabel: left.label,
      rightLabel: right.label,
      path: file.path,
      follows: [skillKey(chosen.key), skillKey(file.key)],
      ...alone(file.path, async () => {
        const [before, after] = await Promise.all([left.read(), right.read()]);
        return { left: before, right: after };
      }),
    });
  }

  mayCompareWith(file: ChosenFile): boolean {
    return this.chosen !== null && !same(this.chosen, file);
  }

  #open(wanted: CompareRequest): void {
    const comparison = new Comparison(this.options, wanted);
    this.#services.layout.view = 'editor';
    this.#services.tabs.openComparison(comparison);
    void comparison.load();
  }

  get #shown() {
    return this.#services.tabs.groups.tabs.flatMap((tab) => (tab.kind === 'comparison' ? [{ tab }] : []));
  }

  /** The source of two versions of a skill, or of one file of them. */
  #between(left: Compare.Version, right: Compare.Version, path: string | null): Pick<CompareRequest, 'files' | 'texts'> {
    const { client } = this.#services;
    const texts = (file: string) => client.call('compare/texts', { left: { of: left, path: file }, right: { of: right, path: file } });
    if (path !== null) return alone(path, () => texts(path));
    return { files: async () => (await client.call('compare/files', { left, right })).files, texts };
  }

  /** The unsaved text of an open file, else the stored text. */
  #side({ key, path }: ChosenFile): { id: string; label: string; read: () => Promise<RevisionFile> } {
    const name = this.#services.catalog.summary(key)?.name ?? '';
    const open = (): Document | null => this.#services.tabs.documents.get({ scope: key.scope, skillId: key.id, path });
    return {
      id: `${skillKey(key)}/${path}`,
      label: `${name} / ${path}${open()?.content.dirty ? ', unsaved' : ''}`,
      read: async () => {
        const document = open();
        await document?.sync.applied;
        if (document?.content.dirty) return textOf(document.content.text());
        const of = versionOf(key);
        return (await this.#services.client.call('compare/texts', { left: { of, path }, right: { of, path } })).left;
      },
    };
  }

  async #locations(skill: SkillKey): Promise<Skill.SkillLocations | null> {
    try {
      return await this.#services.client.call('skill/locations', { skill: skill.id, scope: skill.scope });
    } catch (cause) {
      this.#services.notifications.report('Couldn’t find copies of the skill', cause);
      return null;
    }
  }
}

export const titled = (name: string, note: string): Pick<CompareRequest, 'title' | 'named'> => ({ title: `${name} (${note})`, named: { name, note } });

const same = (one: ChosenFile, other: ChosenFile): boolean => skillKey(one.key) === skillKey(other.key) && one.path === other.path;

export const versionOf = (key: SkillKey, revision?: number): Compare.Version => ({ skill: key.id, scope: key.scope, ...(revision === undefined ? {} : { revision }) });

export const textOf = (text: string | null): RevisionFile => ({ text, sha256: null, size: text === null ? null : text.length });

/** A comparison of one file, which is shown also when nothing differs. */
export function alone(path: string, texts: () => Promise<{ left: RevisionFile; right: RevisionFile }>): Pick<CompareRequest, 'files' | 'texts'> {
  const read = texts;
  return {
    files: async () => {
      const { left, right } = await read();
      const text = [left, right].every((side) => side.text !== null || side.size === null);
      const change = left.size === null ? 'added' : right.size === null ? 'removed' : 'modified';
      return [{ path, change, text, mode: false, executable: false, added: null, removed: null }];
    },
    texts: read,
  };
}
