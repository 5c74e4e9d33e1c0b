import { type Client, LongCall, type SkillKey, skillKey } from '$lib/api';
import { plural } from '$lib/domain';
import type { ExportItem, ExportParams, ExportReport, Form } from '$lib/api/generated';

/** What a skill is exported as: the folder that it is, or one of the forms of a package. */
export type ExportForm = Form | 'folder';

/** Export of skills: first what would be written and what would be left out, then, with a folder to write into, the files. */
export class Exporter {
  /** Null while nothing is exported. */
  skills = $state.raw<readonly SkillKey[] | null>(null);
  form = $state.raw<ExportForm>('folder');
  /** The name in SKILL.md becomes the folder's; of folders. */
  normalise = $state(false);
  report = $state.raw<ExportReport | null>(null);
  /** The report says what was written. */
  written = $state(false);
  /** Where it was written to last. */
  out = $state.raw<string | null>(null);
  /** Of a single skill, once it is known. */
  #name = $state('');
  readonly call: LongCall<'looking' | 'writing'>;
  readonly items = $derived<readonly ExportItem[]>(this.report?.items ?? []);
  /** What is exported, in words. */
  readonly what = $derived(this.skills?.length === 1 ? (this.#name || 'a skill') : plural(this.skills?.length ?? 0, 'skill'));
  /** How many can be, or were, written. */
  readonly fine = $derived(this.items.filter(({ failure }) => failure === null).length);
  readonly inTheWay = $derived(this.items.filter(({ failure }) => failure?.code === 'exists'));

  constructor(client: Client) {
    this.call = new LongCall(client);
  }

  async start(skills: readonly SkillKey[]): Promise<void> {
    if (skills.length === 0) return;
    this.skills = skills;
    this.#name = '';
    await this.look();
  }

  async look({ form = this.form, normalise = this.normalise }: { form?: ExportForm; normalise?: boolean } = {}): Promise<void> {
    this.call.drop();
    this.form = form;
    this.normalise = normalise;
    this.written = false;
    this.report = null;
    const report = await this.#run('looking', this.skills ?? [], { dry_run: true });
    if (report === null) return;
    this.report = report;
    if (report.items[0]) this.#name = report.items[0].name;
  }

  /** True when all of it was written. */
  async write(out: string): Promise<boolean> {
    if (this.call.busy || this.skills === null) return false;
    this.out = out;
    const report = await this.#run('writing', this.skills, { out });
    if (report === null) return false;
    this.report = report;
    this.written = true;
    return !report.stopped && report.items.every(({ failure }) => failure === null);
  }

  /** Writes those whose place something else has, instead of that. */
  async replace(): Promise<boolean> {
    const { out, report } = this;
    if (this.call.busy || out === null || report === null) return false;
    const again = await this.#run('writing', this.inTheWay, { out, replace: true });
    if (again === null) return false;
    const now = new Map(again.items.map((item) => [skillKey(item), item]));
    this.report = { ...report, items: report.items.map((item) => now.get(skillKey(item)) ?? item) };
    return this.items.every(({ failure }) => failure === null);
  }

  close(): void {
    this.call.drop();
    this.skills = null;
    this.report = null;
    this.written = false;
  }

  #run(doing: 'looking' | 'writing', skills: readonly SkillKey[], more: Partial<ExportParams>): Promise<ExportReport | null> {
    const form = this.form === 'folder' ? { normalise: this.normalise } : { form: this.form };
    return this.call.run(doing, 'skill/export', { skills: skills.map(({ id, scope }) => ({ skill: id, scope })), ...form, ...more });
  }
}

/** What there is to know of a report before, or after, it is written: a line each. */
export interface ExportNote {
  id: string;
  tone: 'error' | 'warning' | 'info' | 'hint';
  /** The skill; empty where there is only one. */
  skill: string;
  text: string;
  hint: string | null;
}

export function notesOf(items: readonly ExportItem[]): ExportNote[] {
  return items.flatMap((item) => {
    const { name, failure, diagnostics } = item;
    const id = skillKey(item);
    const skill = items.length > 1 ? name : '';
    const found = diagnostics.map(({ severity, message, hint }, at) => ({ id: `${id} ${at}`, tone: severity, skill, text: message, hint }));
    return failure === null ? found : [{ id, tone: 'error' as const, skill, text: failure.message, hint: failure.hint }, ...found];
  });
}

/** "12 skills with 48 files" */
export function sizeOf(items: readonly ExportItem[]): string {
  const fine = items.filter(({ failure }) => failure === null);
  const files = plural(fine.reduce((sum, { files }) => sum + files, 0), 'file');
  return items.length === 1 ? files : `${plural(fine.length, 'skill')} with ${files}`;
}
