import { type SkillOverview, type Client, type ChangeFeed, type Models, type Settings } from '$lib/api';
import type { ArtifactKind } from '$lib/api/generated';
import { isExecutable, isTemplate } from '$lib/domain';
import { type Form, PlanForm, type Preview, previewTarget } from '$lib/features/inspector';
import { type Approve, limitField, RunState, RunLimits, type RunTarget } from '$lib/features/run';
import type { Document } from '$lib/features/editor';

interface Ports {
  document: () => Document | null;
  skill: () => SkillOverview | null;
  /** Whether the skill has artifacts that run. */
  hasArtifacts: (skill: SkillOverview) => boolean;
  /** False if saving failed. */
  save: (target: RunTarget) => Promise<boolean>;
  trust: () => Promise<boolean>;
  approve: Approve;
}

const ALONE: Partial<Record<ArtifactKind, string>> = { prompt_template: 'This prompt', code_template: 'This script', dspy_module: 'This module', description: 'Instructions' };

/** What runs: the active artifact or its skill, with which inputs and limits. */
export class RunViewModel {
  #whole = $state(false);
  /** Of a skill that has more to run, SKILL.md answers only when that is chosen. */
  #instructions = $state(false);
  readonly planForm: PlanForm;
  readonly run: RunState;
  readonly limits: RunLimits;
  readonly #preview: Preview;
  readonly #ports: Ports;
  /** The kind of the active file; null if it can't run alone. */
  readonly kind = $derived.by(() => {
    const entry = this.#ports.document()?.file.entry;
    const kind = entry?.artifact?.kind;
    if (kind !== undefined && isExecutable(kind)) return kind;
    const skill = this.#ports.skill();
    return entry?.role === 'main' && kind === 'description' && skill !== null && this.#ports.hasArtifacts(skill) ? kind : null;
  });
  readonly alone = $derived(
    this.kind === null ? null : (ALONE[this.kind] ?? null),
  );
  /** Runs the whole skill instead of the active file. */
  get whole(): boolean {
    return this.kind === 'description' ? !this.#instructions : this.#whole;
  }

  set whole(whole: boolean) {
    if (this.kind === 'description') this.#instructions = !whole;
    else this.#whole = whole;
  }

  readonly target = $derived.by<RunTarget | null>(() => {
    const [document, skill] = [this.#ports.document(), this.#ports.skill()];
    if (document && this.kind !== null && !this.whole) return { scope: document.file.skill.scope, skillId: document.file.skill.id, artifact: document.file.path };
    return skill && { scope: skill.scope, skillId: skill.id, artifact: null };
  });
  /** Whether a script would run. */
  readonly scripted = $derived.by(
    () => (this.target?.artifact != null && this.kind === 'code_template') || this.run.planning.plan?.steps.some((step) => step.kind === 'code_template') === true,
  );
  /** Whether the run uses the form of the preview. */
  readonly previewed = $derived.by(() => {
    const document = this.#ports.document();
    return this.target?.artifact != null && isTemplate(document?.file.entry ?? null, this.target.artifact);
  });

  constructor(client: Client, feed: ChangeFeed, models: Models, settings: Settings, preview: Preview, ports: Ports) {
    this.#preview = preview;
    this.#ports = ports;
    this.planForm = new PlanForm(client, feed);
    this.limits = new RunLimits(settings, () => this.target);
    this.run = new RunState(client, feed, models, {
      target: () => this.target,
      ready: () => this.#ready(),
      params: () => (this.#formIsCurrent() ? this.form.fields.params() : {}),
      limits: () => this.limits.wire(),
      invalidFields: () => [...this.form.fields.broken, ...this.limits.invalid.map(limitField)],
      save: (target) => ports.save(target),
      trust: () => ports.trust(),
      approve: ports.approve,
    });
  }

  get form(): Form {
    return this.previewed ? this.#preview.form : this.planForm.form;
  }

  /** The fields of the target's inputs, once they are loaded. */
  async inputs(): Promise<Form['fields']> {
    await this.#ready();
    return this.form.fields;
  }

  /** Loads the form of the target, which the panel loads only while it is shown. */
  async #ready(): Promise<void> {
    if (!this.#formIsCurrent()) {
      if (this.previewed) void this.#preview.follow(previewTarget(this.#ports.document()));
      else void this.planForm.follow(this.target);
    }
    // The run shows the panel, which loads the form again.
    let { ready } = this.form;
    for (await ready; ready !== this.form.ready; await ready) ready = this.form.ready;
  }

  /** Whether the form has the values of the current target. */
  #formIsCurrent(): boolean {
    const { target } = this;
    return target !== null && this.form.isOf({ scope: target.scope, skillId: target.skillId, path: target.artifact ?? 'SKILL.md' });
  }

  /** Loads the form and the plan after the target changed. */
  follow(): void {
    void this.planForm.follow(this.previewed ? null : this.target);
    this.run.planning.touch();
  }
}
