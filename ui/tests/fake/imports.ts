// Skills to import from the disk, as the real operation tells of them.
import type { Diagnostic, Failure, ImportItem, OutputOf, ParamsOf, PathMerge, RevisionFile, Scope, Skill } from '$lib/api/generated';
import { fail, type FakeStore } from './store';
import { fileOf } from './history';
import type { FakeTargets } from './targets';

type Arriving = Partial<ImportItem> & Pick<ImportItem, 'status'> & { folder: string };

const diagnostic = (rule: string, severity: Diagnostic['severity'], message: string, hint: string): Diagnostic => ({
  rule, severity, message, hint, file: 'SKILL.md', line: 1, column: 1, end_line: null, end_column: null, pointer: null,
});

/** What there is of each status. */
export const ARRIVING: readonly Arriving[] = [
  { folder: 'pdf-forms', slug: 'pdf-forms', name: 'PDF forms', status: 'new' },
  { folder: 'link-auditor', slug: 'link-auditor', name: 'Link Auditor', status: 'update', revision: 1, base: 1, changes: [{ path: 'SKILL.md', by: 'theirs' }] },
  { folder: 'broken', status: 'refused', diagnostics: [diagnostic('frontmatter/missing', 'error', 'missing frontmatter', 'Start the file with ---')] },
];

const CLASHING: readonly PathMerge[] = [
  { path: 'SKILL.md', by: 'conflict' },
  { path: 'prompts/order.j2', by: 'ours' },
  { path: 'references/dates.md', by: 'theirs' },
  { path: 'scripts/sort.py', by: 'both' },
];

/** Some more: those that one has to decide on. */
export const CONTESTED: readonly Arriving[] = [
  { folder: 'timeline-builder', slug: 'timeline-builder', name: 'Timeline Builder', status: 'conflict', revision: 2, base: 1, changes: [...CLASHING], diagnostics: [diagnostic('import/conflict', 'warning', 'the skill timeline-builder is here already: 1 file is changed here and there', 'choose one side, merge them, or keep both')] },
  { folder: 'consistency-checker', slug: 'consistency-checker', name: 'Consistency Checker', status: 'locked', diagnostics: [diagnostic('import/locked', 'warning', 'the skill consistency-checker already exists and is locked', 'import it into a workspace to override it there, or keep both')] },
  { folder: 'same', slug: 'same', name: 'Same', status: 'unchanged' },
];

const BY_DEFAULT: Record<ImportItem['status'], Skill.ImportAction> = { new: 'replace', update: 'merge', conflict: 'skip', locked: 'skip', unchanged: 'skip', refused: 'skip' };
const HERE = 'There {{ is }} one\nof a name\n';

export class FakeImports {
  /** What is at whatever path is asked for. */
  arriving: readonly Arriving[] = ARRIVING;
  /** How many were done when a stop was heard. */
  doneBeforeStop = 1;
  /** What ends the storing after those. */
  failure: Failure | null = null;
  /** Why repositories can’t be fetched. */
  unreachable: Failure | null = null;
  /** Where skills were imported from. */
  from: OutputOf<'import/source'> | null = null;
  readonly #store: FakeStore;
  readonly #targets: FakeTargets;

  constructor(store: FakeStore, targets: FakeTargets) {
    this.#store = store;
    this.#targets = targets;
  }

  import(params: ParamsOf<'skill/import'>, stopped: boolean): OutputOf<'skill/import'> {
    const { paths: folders = [], texts = [], dry_run: dry = false, choices = [], only_chosen: only = false } = params;
    const scope = params.scope ?? 'account';
    const paths = [...folders, ...texts.map(({ name }) => name)];
    const actionOf = (item: ImportItem): Skill.ImportAction => choices.find(({ path }) => path === item.path)?.action ?? (only ? 'skip' : BY_DEFAULT[item.status]);
    const at = paths[0] ?? '';
    const all = this.#targets.has(at) ? this.#targets.items(paths, scope) : this.arriving.map((one) => itemOf(at, one));
    const failure = dry ? null : this.failure;
    const items = stopped || failure ? all.slice(0, this.doneBeforeStop) : all;
    for (const item of items) {
      const to = actionOf(item);
      if (dry || to === 'skip' || item.status === 'refused' || item.status === 'unchanged' || item.slug === null) continue;
      if (item.status === 'locked' && (to === 'merge' || to === 'replace')) continue;
      if (to === 'both') item.slug = `${item.slug}-2`;
      item.stored = true;
      item.revision = (item.revision ?? 0) + 1;
      if (item.status === 'new' || to === 'both' || to === 'override') this.#add(item.slug, item.name ?? item.slug, to === 'override' ? 'workspace' : scope);
    }
    return { items, scope, dry_run: dry, stopped: stopped || failure !== null, found: all.length, diagnostics: [], failure };
  }

  file({ file, base }: ParamsOf<'import/file'>): OutputOf<'import/file'> {
    const side = (text: string | null): RevisionFile => fileOf(text === null ? undefined : { text });
    return { base: side(base == null ? null : HERE), ours: side(`${HERE}and ours in ${file}\n`), theirs: side(HERE.replace('one', 'another one')) };
  }

  /** A repository that is fetched, or why it can’t be. */
  fetch({ address, branch, folder }: ParamsOf<'import/fetch'>): OutputOf<'import/fetch'> {
    if (this.unreachable) throw this.unreachable;
    const source = { url: address, branch: branch ?? null, commit: '0123456789abcdef0123456789abcdef01234567', folder: folder ?? '' };
    return { source, path: ['/home/ada/.local/share/inklings/repositories/skills-0123', folder].filter(Boolean).join('/') };
  }

  source(): OutputOf<'import/source'> {
    if (this.from === null) throw fail('notFound', 'the skill wasn’t imported');
    return this.from;
  }

  #add(slug: string, name: string, scope: Scope): void {
    const text = `---\nname: ${slug}\ndescription: Taken over as it arrived, with all that belongs to it.\n---\n`;
    this.#store.add({ scope, slug, name, description: 'Taken over.', files: { 'SKILL.md': { role: 'main', kind: 'description', text } } });
  }
}

const itemOf = (at: string, { folder, ...more }: Arriving): ImportItem => ({
  path: `${at}/${folder}`, slug: null, name: null, stored: false, skill: more.revision === undefined ? null : `skill-of-${folder}`, revision: null, base: null, changes: [], diagnostics: [], ...more,
});
