// The library of the in-memory core: the same conditions and counts as the real one, for as much as the tests ask.
import type { EditResult, Failure, Library, Lifecycle, Search, Skill, SkillDetail, SkillRef } from '$lib/api/generated';
import { NO_SUMMARY } from './manifests';
import { fail, type FakeSkill, type Handlers } from './store';

interface Ports {
  all: () => Library.LibraryRow[];
  get: (ref: SkillRef) => FakeSkill;
  detail: (skill: FakeSkill) => SkillDetail;
  /** Makes a revision of the same files. */
  touch: (skill: FakeSkill, why: string) => void;
  changed: (skill: FakeSkill) => void;
}

const NO_OUTCOMES: Library.SkillQuality = {
  uses: 0, outcomes: 0, successes: 0, task_success_rate: null, judged: 0, accepted: 0, human_acceptance_rate: null, utility: 0.5,
};

export class FakeLibrary {
  /** What the next message finds. */
  matches: Search.SkillSearchResult = { skills: [], left_out: [], words: [], words_only: null };
  searchStatus: Search.SearchStatus = { indexing: null, words_only: null };
  /** Runs of 30 days by slug. */
  readonly uses = new Map<string, Pick<Library.LibraryRow, 'runs' | 'estimated_cost' | 'unpriced' | 'last_used_at'>>();
  /** Values as they were, by revision, to go back to. */
  readonly #before = new Map<string, FakeSkill['summary']>();
  readonly #reasons = new Map<string, string>();
  readonly #ports: Ports;

  readonly lifecycleHandlers: Pick<Handlers, `skill/${'promote' | 'deprecate' | 'archive' | 'reinstate' | 'dependencies' | 'dependents' | 'merge_preview' | 'merge'}`> = {
    'skill/promote': (ref) => this.#inState(ref, this.#ports.get(ref).summary.lifecycle === 'verified' ? 'released' : 'verified'),
    'skill/deprecate': ({ reason, ...ref }) => this.#inState(ref, 'deprecated', reason),
    'skill/archive': ({ reason, ...ref }) => this.#inState(ref, 'archived', reason),
    'skill/reinstate': (ref) => this.#inState(ref, 'released'),
    'skill/dependencies': () => ({ skills: [], cycle: null }),
    'skill/dependents': () => ({ skills: [], cycle: null }),
    'skill/merge_preview': () => ({ files: [], omitted: [], dependents: [] }),
    'skill/merge': () => {
      throw fail('invalid', 'no such merge');
    },
  };

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  list({ query, offset, limit }: Library.LibraryParams): Library.LibraryPage {
    const all = this.#chosen(query ?? {});
    const first = offset ?? 0;
    return { skills: all.slice(first, first + (limit ?? all.length)), total: all.length, facets: first === 0 ? this.#facets(query ?? {}) : null };
  }

  keys({ query, offset, limit }: Library.LibraryParams): Library.LibraryKeys {
    return { keys: this.list({ query: query ?? {}, offset: offset ?? 0, limit: limit ?? null }).skills.map(({ id, scope }) => ({ id, scope })) };
  }

  seek({ query, prefix, after }: Library.SeekParams): Library.SeekResult {
    const all = this.#chosen(query ?? {});
    const start = after == null ? 0 : after + 1;
    const order = [...all.keys()].slice(start).concat([...all.keys()].slice(0, start));
    return { index: order.find((index) => all[index]?.name.toLowerCase().startsWith(prefix.toLowerCase())) ?? null };
  }

  stats(): Library.LibraryStats {
    const all = this.#chosen({});
    const uses = [...this.uses.values()];
    return {
      skills: all.length,
      active: all.filter((row) => row.enabled && row.lifecycle !== 'deprecated' && row.lifecycle !== 'archived').length,
      deprecated: all.filter((row) => row.lifecycle === 'deprecated').length,
      runs: uses.reduce((sum, one) => sum + one.runs, 0),
      estimated_cost: uses.reduce<number | null>((sum, one) => (one.estimated_cost === null ? sum : (sum ?? 0) + one.estimated_cost), null),
      unpriced: uses.reduce((sum, one) => sum + one.unpriced, 0),
      freshness: uses.length > 0 ? 0.8 : null,
    };
  }

  card(ref: SkillRef): Library.LibraryCard {
    const { summary } = this.#ports.get(ref);
    const row = this.#ports.all().find((one) => one.id === summary.id);
    if (!row) throw fail('notFound', 'no such skill');
    return { row: this.#used(row), quality: NO_OUTCOMES, manifest: NO_SUMMARY, created_by: 'local', deprecated_reason: this.#reasons.get(summary.id) ?? null, last_validated_at: null, source_session: null, parent: null };
  }

  #inState(ref: SkillRef, lifecycle: Lifecycle, reason?: string | null): Skill.SkillSummary {
    const skill = this.#ports.get(ref);
    skill.summary.lifecycle = lifecycle;
    if (reason) this.#reasons.set(skill.summary.id, reason);
    this.#ports.changed(skill);
    return this.#ports.detail(skill);
  }

  apply({ skills, action }: Library.ApplyParams): Library.BulkReport {
    return this.#each(skills, (skill) => {
      const { summary } = skill;
      switch (action.do) {
        case 'enable': {
          if (summary.enabled === action.on) return null;
          summary.enabled = action.on;
          this.#ports.changed(skill);
          return { undo: { by: 'enable', on: !action.on } };
        }
        case 'add_tag':
          return summary.tags.includes(action.tag) ? null : this.#values(skill, { tags: [...summary.tags, action.tag] });
        case 'remove_tag':
          return summary.tags.includes(action.tag) ? this.#values(skill, { tags: summary.tags.filter((tag) => tag !== action.tag) }) : null;
        case 'set_category':
          return summary.category === action.category ? null : this.#values(skill, { category: action.category });
        case 'delete':
          skill.deleted = true;
          this.#ports.changed(skill);
          return { undo: { by: 'restore' } };
      }
    });
  }

  undo({ steps }: Library.UndoParams, deleted: (id: string) => FakeSkill | undefined): Library.BulkReport {
    const report: Library.BulkReport = { done: [], failed: [] };
    for (const { id, scope, undo } of steps) {
      const skill = undo.by === 'restore' ? deleted(id) : this.#ports.get({ skill: id, scope });
      if (!skill) continue;
      if (undo.by === 'enable') skill.summary.enabled = undo.on;
      else if (undo.by === 'restore') skill.deleted = false;
      else {
        const before = this.#before.get(`${id}@${undo.to}`);
        if (before) Object.assign(skill.summary, { ...before, revision: skill.summary.revision });
      }
      this.#ports.changed(skill);
      report.done.push({ id, scope, slug: skill.summary.slug, name: skill.summary.name, undo: null });
    }
    return report;
  }

  describe({ expected, values, ...ref }: Skill.DescribeParams): EditResult {
    const skill = this.#ports.get(ref);
    if (skill.summary.locked) throw fail('locked', `the skill ${skill.summary.slug} is locked`);
    if (values.name?.trim() === '') throw fail('invalid', 'the title is empty', { hint: 'enter a title, or keep the current one' });
    const name = values.name?.trim().toLowerCase();
    const sameName = this.#ports.all().some((one) => one.id !== skill.summary.id && one.scope === skill.summary.scope && one.name.toLowerCase() === name);
    if (sameName) throw fail('exists', `there is a skill titled ${values.name} already`, { hint: 'Choose another title' });
    const base = expected == null ? undefined : this.#before.get(`${skill.summary.id}@${expected}`);
    const moved = (key: 'name' | 'description' | 'category'): boolean => base !== undefined && values[key] != null && base[key] !== skill.summary[key] && values[key] !== skill.summary[key];
    if (moved('name') || moved('description') || moved('category')) throw fail('revisionConflict', 'description was changed elsewhere since you opened it');
    const before = skill.summary.revision;
    this.#values(skill, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value])));
    const detail = this.#ports.detail(skill);
    return { skill: detail, revision: detail.revision, before, rebased: false, diagnostics: [] };
  }

  #values(skill: FakeSkill, values: Partial<FakeSkill['summary']>): { undo: Library.SkillUndo } {
    if (skill.summary.locked) throw fail('locked', `the skill ${skill.summary.slug} is locked`, { hint: 'duplicate it and edit the copy' });
    const to = skill.summary.revision;
    this.#before.set(`${skill.summary.id}@${to}`, { ...skill.summary });
    Object.assign(skill.summary, values);
    this.#ports.touch(skill, 'changed values');
    return { undo: { by: 'revision', to, from: skill.summary.revision } };
  }

  #each(skills: readonly SkillRef[], change: (skill: FakeSkill) => Pick<Library.ChangedSkill, 'undo'> | null): Library.BulkReport {
    const report: Library.BulkReport = { done: [], failed: [] };
    for (const ref of skills) {
      try {
        const skill = this.#ports.get(ref);
        const { id, scope, slug, name } = skill.summary;
        report.done.push({ id, scope, slug, name, ...(change(skill) ?? { undo: null }) });
      } catch (cause) {
        const name = this.#ports.all().find((row) => row.id === ref.skill)?.name ?? null;
        report.failed.push({ skill: ref.skill, scope: ref.scope ?? null, name, failure: cause as Failure });
      }
    }
    return report;
  }

  #used(row: Library.LibraryRow): Library.LibraryRow {
    return { ...row, ...this.uses.get(row.slug) };
  }

  #chosen(query: Library.LibraryQuery): Library.LibraryRow[] {
    const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row: Library.LibraryRow): boolean =>
      (!row.shadowed || query.hidden === true) &&
      words.every((word) => `${row.name} ${row.slug} ${row.description} ${row.tags.join(' ')}`.toLowerCase().includes(word)) &&
      (query.ownership == null || (query.ownership === 'built_in') === row.locked) &&
      (query.origin == null || query.origin === row.origin) &&
      (query.enabled == null || query.enabled === row.enabled) &&
      (!query.lifecycles?.length || query.lifecycles.includes(row.lifecycle)) &&
      (!query.categories?.length || query.categories.includes(row.category)) &&
      (query.tags ?? []).every((tag) => row.tags.includes(tag));
    const rows = this.#ports.all().map((row) => this.#used(row)).filter(fits);
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    rows.sort((a, b) => (query.sort === 'size' ? b.bytes - a.bytes : query.sort === 'cost' ? (b.estimated_cost ?? 0) - (a.estimated_cost ?? 0) : 0) || collator.compare(a.name, b.name));
    return query.reverse ? rows.reverse() : rows;
  }

  #facets(query: Library.LibraryQuery): Library.LibraryPage['facets'] {
    const count = (without: Partial<Library.LibraryQuery>, values: readonly string[], of: (row: Library.LibraryRow) => readonly string[]): Library.LibraryCount[] => {
      const rows = this.#chosen({ ...query, ...without });
      return values.map((value) => ({ value, count: rows.filter((row) => of(row).includes(value)).length }));
    };
    const all = this.#ports.all();
    const values = (of: (row: Library.LibraryRow) => readonly string[]): string[] => [...new Set(all.flatMap(of))];
    return {
      ownerships: count({ ownership: null }, ['built_in', 'yours'], (row) => [row.locked ? 'built_in' : 'yours']),
      origins: count({ origin: null }, ['human', 'llm'], (row) => [row.origin]),
      switches: count({ enabled: null }, ['on', 'off'], (row) => [row.enabled ? 'on' : 'off']),
      lifecycles: count({ lifecycles: [] }, ['candidate', 'verified', 'released', 'degraded', 'deprecated', 'archived'], (row) => [row.lifecycle]),
      categories: count({ categories: [] }, values((row) => [row.category]), (row) => [row.category]),
      tags: count({}, values((row) => row.tags), (row) => row.tags).filter((one) => one.count > 0),
      hidden: all.filter((row) => row.shadowed).length,
    };
  }
}
