import type { ExportItem, ExportReport, Failure, Skill } from '$lib/api/generated';
import { fail, type FakeSkill } from './store';

/** Writes nothing, and says what would have been written. */
export class FakeExports {
  /** Slugs whose place in every folder something else has. */
  readonly inTheWay = new Set<string>();
  /** Slugs whose manifest allows no form of a package. */
  readonly owned = new Set<string>();
  readonly #get: (skill: string) => FakeSkill;

  constructor(get: (skill: string) => FakeSkill) {
    this.#get = get;
  }

  write(params: Skill.ExportParams): ExportReport {
    return { items: params.skills.map(({ skill }) => this.#item(skill, params)), dry_run: params.dry_run ?? false, stopped: false };
  }

  #item(id: string, { form = null, out, replace = false, dry_run: dry = false }: Skill.ExportParams): ExportItem {
    const { summary, files } = this.#get(id);
    const { slug } = summary;
    const path = `${out ? `${out}/` : ''}${slug}${form === null ? '' : `.${form}`}`;
    const alone = form !== null && form !== 'skill' && form !== 'json';
    const leftOut = alone ? [...files.keys()].filter((file) => file !== 'SKILL.md') : [];
    return {
      id: summary.id,
      scope: summary.scope,
      slug,
      name: summary.name,
      path,
      files: files.size - leftOut.length,
      left_out: leftOut,
      diagnostics: leftOut.length === 0 ? [] : [{ rule: 'package/left-out', severity: 'info', message: `${form} has no place for ${leftOut.join(', ')}`, hint: null, file: null, line: null, column: null, end_line: null, end_column: null, pointer: null }],
      failure: this.#failure(slug, path, alone, replace || dry),
    };
  }

  #failure(slug: string, path: string, alone: boolean, anyway: boolean): Failure | null {
    if (alone && this.owned.has(slug)) return fail('forbidden', `the manifest of ${slug} doesn’t allow this form`);
    return this.inTheWay.has(slug) && !anyway ? fail('exists', `${path} is there already`) : null;
  }
}
