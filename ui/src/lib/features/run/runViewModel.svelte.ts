import { type Brief, type Client, type ChangeFeed, type Models, type Settings } from '$lib/api';
import { isTemplate } from '$lib/domain';
import { type Form, PlanForm, type Preview } from '$lib/features/inspector';
import { limitField, Run, RunLimits, type RunTarget } from '$lib/features/run';
import type { Document } from '$lib/features/editor';

interface Ports {
  document: () => Document | null;
  skill: () => Brief | null;
  /** Saves what would run; false when that can't be. */
  save: (target: RunTarget) => Promise<boolean>;
  trust: () => Promise<boolean>;
}

const EXECUTABLE = ['prompt_template', 'code_template', 'dspy_module'];

/** Connects what is in front with the run: which artifact or skill, with whose values. */
export class RunViewModel {
  /** The whole skill is wanted although the file in front could run alone. */
  whole = $state(false);
  readonly planForm: PlanForm;
  readonly run: Run;
  readonly limits: RunLimits;
  readonly #preview: Preview;
  readonly #ports: Ports;
  /** The kind of the file in front, when it can run alone. */
  readonly kind = $derived.by(() => {
    const kind = this.#ports.document()?.entry?.artifact?.kind;
    return kind !== undefined && EXECUTABLE.includes(kind) ? kind : null;
  });
  readonly alone = $derived(
    this.kind === null ? null : this.kind === 'prompt_template' ? 'This prompt' : this.kind === 'code_template' ? 'This script' : 'This module',
  );
  readonly target = $derived.by<RunTarget | null>(() => {
    const [document, skill] = [this.#ports.document(), this.#ports.skill()];
    if (document && this.kind !== null && !this.whole) return { scope: document.scope, skillId: document.skillId, artifact: document.path };
    return skill && { scope: skill.scope, skillId: skill.id, artifact: null };
  });
  /** Whether a script is among what would run. */
  readonly scripted = $derived.by(
    () => (this.target?.artifact != null && this.kind === 'code_template') || this.run.plan?.steps.some((step) => step.kind === 'code_template') === true,
  );
  /** Whether the form of the preview is the form of the run. */
  readonly previewed = $derived.by(() => {
    const document = this.#ports.document();
    return this.target?.artifact != null && isTemplate(document?.entry ?? null, this.target.artifact);
  });

  constructor(client: Client, feed: ChangeFeed, models: Models, settings: Settings, preview: Preview, ports: Ports) {
    this.#preview = preview;
    this.#ports = ports;
    this.planForm = new PlanForm(client, feed);
    this.limits = new RunLimits(settings, () => this.target);
    this.run = new Run(client, feed, models, {
      target: () => this.target,
      ready: () => this.#ready(),
      params: () => (this.#formIsCurrent() ? this.form.params() : {}),
      limits: () => this.limits.wire(),
      broken: () => [...this.form.broken, ...this.limits.broken.map(limitField)],
      save: (target) => ports.save(target),
      trust: () => ports.trust(),
    });
  }

  get form(): Form {
    return this.previewed ? this.#preview.form : this.planForm.form;
  }

  /** Brings the form to what is in front. The panel that does so meanwhile may be out of sight. */
  async #ready(): Promise<void> {
    if (!this.#formIsCurrent()) {
      if (this.previewed) void this.#preview.follow(this.#ports.document());
      else void this.planForm.follow(this.target);
    }
    await this.form.ready;
  }

  /** Whether the form has the values of what would run, not those of what was in front before. */
  #formIsCurrent(): boolean {
    const { target } = this;
    return target !== null && this.form.isOf({ scope: target.scope, skillId: target.skillId, path: target.artifact ?? 'SKILL.md' });
  }

  /** Something else is in front, or the other choice was made. */
  follow(): void {
    void this.planForm.follow(this.previewed ? null : this.target);
    this.run.touch();
  }
}
