import type { Models, Settings } from '$lib/api';
import type { DocumentKey } from '$lib/features/editor';
import { PlanForm } from '$lib/features/inspector';
import type { FileEntry, ModelRef, Skill } from '$lib/api/generated';
import { ColumnList } from './columnList.svelte';
import { ColumnPlanning } from './columnPlanning.svelte';
import { ColumnRuns, type RunPorts } from './columnRuns.svelte';
import type { ColumnSpec } from './columns';

interface Parts extends RunPorts {
  models: Models;
  settings: Settings;
}

const MAX_REVISIONS = 100;

/** Runs one artifact with the same inputs in several columns, each with a variant, a model and a revision. */
export class Playground {
  readonly target: DocumentKey;
  readonly planForm: PlanForm;
  readonly columns: ColumnList;
  readonly planning: ColumnPlanning;
  readonly runs: ColumnRuns;
  /** Newest first. */
  revisions = $state.raw<readonly Skill.RevisionInfo[]>([]);
  readonly #parts: Parts;

  constructor(target: DocumentKey, parts: Parts) {
    this.target = target;
    this.#parts = parts;
    this.planForm = new PlanForm(parts.client, parts.feed);
    this.columns = new ColumnList(parts.settings, target, () => this.planning.touch());
    this.planning = new ColumnPlanning(parts.client, parts.models, target, this.columns, () => this.planForm.form.fields.params());
    this.runs = new ColumnRuns(target, this.columns, this.planForm, parts);
  }

  /** Loads the form. It has the values that were used last, in the inspector too. */
  async open(): Promise<void> {
    await this.planForm.follow({ scope: this.target.scope, skillId: this.target.skillId, artifact: this.target.path });
    this.planning.touch();
    const { client } = this.#parts;
    // A run that was deleted isn’t shown again.
    await Promise.allSettled(this.columns.list.map((column) => column.restore((run) => client.call('run/get', { run }))));
  }

  /** Reads inputs, revisions and plans again after the skill changed. */
  async refresh(): Promise<void> {
    this.planForm.refresh();
    this.planning.touch();
    const { skillId: skill, scope } = this.target;
    try {
      const { revisions } = await this.#parts.client.call('skill/history', { skill, scope, limit: MAX_REVISIONS });
      this.revisions = revisions;
    } catch {
      // The columns still run the current revision, and a run reports what is wrong.
    }
  }
}

export interface Variant {
  path: string;
  label: string;
}

/** The files of the same artifact for different models. */
export function variantsOf(entries: readonly FileEntry[], path: string): Variant[] {
  const own = entries.find((entry) => entry.path === path)?.artifact;
  if (!own) return [];
  return entries.flatMap(({ artifact, path: other }) =>
    artifact?.kind === own.kind && artifact.name === own.name ? [{ path: other, label: artifact.variant ?? 'Default variant' }] : [],
  );
}

/** "local/small, anthropic, revision 3" */
export function describeColumn({ artifact, model, revision }: ColumnSpec, fallback: ModelRef | null, variants: readonly Variant[]): string {
  const variant = variants.length > 1 ? variants.find((one) => one.path === artifact)?.label : undefined;
  return [model ?? fallback ?? 'No model', variant, revision === null ? undefined : `revision ${revision}`].filter((part) => part !== undefined).join(', ');
}
