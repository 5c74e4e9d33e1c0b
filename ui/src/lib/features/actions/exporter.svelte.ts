import { type Client, LongCall, type SkillKey, skillKey } from '$lib/api';
import { plural } from '$lib/domain';
import type { ExportReport, PackageFormat, Skill } from '$lib/api/generated';
import { existing, exportable } from './exportReport';

export type ExportForm = PackageFormat | 'folder';

export interface ExportOptions {
  form: ExportForm;
  /** Sets the name in SKILL.md to the folder name. For folders only. */
  normalize: boolean;
}

/** Exports skills. A dry run shows what would be written, and what wouldn't, before a folder is chosen. */
export class Exporter {
  /** Null while nothing is exported. */
  skills = $state.raw<readonly SkillKey[] | null>(null);
  options = $state.raw<ExportOptions>({ form: 'folder', normalize: false });
  report = $state.raw<ExportReport | null>(null);
  /** Whether files were written; else the report is of a dry run. */
  written = $state(false);
  /** The last folder that was written to. */
  folder = $state.raw<string | null>(null);
  readonly call: LongCall<'checking' | 'writing'>;
  /** The name of a single skill, once it is known. */
  #name = $state('');
  /** "Link Auditor", "12 skills" */
  readonly label = $derived(this.skills?.length === 1 ? (this.#name || 'a skill') : plural(this.skills?.length ?? 0, 'skill'));

  constructor(client: Client) {
    this.call = new LongCall(client);
  }

  async start(skills: readonly SkillKey[]): Promise<void> {
    if (skills.length === 0) return;
    this.skills = skills;
    this.#name = '';
    await this.preview();
  }

  /** Reads the report of a dry run. */
  async preview(options: Partial<ExportOptions> = {}): Promise<void> {
    this.call.abandon();
    this.options = { ...this.options, ...options };
    this.written = false;
    this.report = null;
    const report = await this.#run('checking', this.skills ?? [], { dry_run: true });
    if (report === null) return;
    this.report = report;
    if (report.items[0]) this.#name = report.items[0].name;
  }

  /** True when all of it was written. */
  async write(folder: string): Promise<boolean> {
    if (this.call.busy || this.skills === null) return false;
    this.folder = folder;
    const report = await this.#run('writing', this.skills, { out: folder });
    if (report === null) return false;
    this.report = report;
    this.written = true;
    return !report.stopped && exportable(report.items).length === report.items.length;
  }

  /** Writes the skills whose destination exists, and replaces it. True when all skills were written. */
  async replace(): Promise<boolean> {
    const { folder, report } = this;
    if (this.call.busy || folder === null || report === null) return false;
    const replaced = await this.#run('writing', existing(report.items), { out: folder, replace: true });
    if (replaced === null) return false;
    const byKey = new Map(replaced.items.map((item) => [skillKey(item), item]));
    const items = report.items.map((item) => byKey.get(skillKey(item)) ?? item);
    this.report = { ...report, items };
    return exportable(items).length === items.length;
  }

  close(): void {
    this.call.abandon();
    this.skills = null;
    this.report = null;
    this.written = false;
  }

  #run(doing: 'checking' | 'writing', skills: readonly SkillKey[], params: Partial<Skill.ExportParams>): Promise<ExportReport | null> {
    const { form, normalize } = this.options;
    const options = form === 'folder' ? { normalize } : { form };
    return this.call.run(doing, 'skill/export', { skills: skills.map(({ id, scope }) => ({ skill: id, scope })), ...options, ...params });
  }
}
