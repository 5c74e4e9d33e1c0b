import type { ModelRef } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { ModelPick } from './modelPick.svelte';

type Needs = Pick<Services, 'models' | 'overlays' | 'notifications'>;

/** Chooses a model in a palette. */
export class ModelChooser {
  readonly pick: ModelPick;
  readonly #services: Needs;
  #chosen: (model: ModelRef) => unknown = () => undefined;

  constructor(services: Needs) {
    this.#services = services;
    this.pick = new ModelPick(services.models);
  }

  /** Chooses the default model, unless `chosen` is given. */
  ask(title = 'Choose the default model', chosen?: (model: ModelRef) => unknown): void {
    this.#chosen = chosen ?? ((model) => this.#makeDefault(model));
    this.pick.start(title);
    this.#services.overlays.show('model');
  }

  choose(model: ModelRef): void {
    this.#services.overlays.close();
    this.#chosen(model);
  }

  async #makeDefault(model: ModelRef): Promise<void> {
    const { models, notifications } = this.#services;
    notifications.reportFailure('Couldn’t set the default model', await models.choose(model));
  }
}
