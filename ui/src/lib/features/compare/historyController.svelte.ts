import type { SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { loadSkillHistory, type SkillHistory } from '$lib/features/inspector';
import type { ComparedFile, Skill } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { versionOf } from './compareController.svelte';

type Needs = Pick<Services, 'client' | 'feed' | 'layout' | 'notifications'>;

/** The history tab of the inspector: revisions and runs of a skill or file. */
export class HistoryController {
  /** Null until the tab was shown for the first time. */
  list = $state.raw<SkillHistory | null>(null);
  /** Whether the list is of the active file instead of its skill. */
  ofFile = $state(false);
  readonly focusRequest = new ViewRequest();
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  show(ofFile = this.ofFile): void {
    this.ofFile = ofFile;
    this.#services.layout.view = 'editor';
    this.#services.layout.inspector.show('history');
    this.focusRequest.send();
  }

  /** Created here because the list outlives its tab: a `$derived` created in a component stops when the component is destroyed. */
  async load(): Promise<void> {
    try {
      const SkillHistory = await loadSkillHistory();
      this.list ??= new SkillHistory(this.#services.client, this.#services.feed);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the history', cause, () => this.load());
    }
  }

  /** The files that a revision changed. */
  async filesOf(key: SkillKey, { number, previous }: Skill.RevisionInfo): Promise<readonly ComparedFile[]> {
    const [left, right] = [versionOf(key, previous ?? 0), versionOf(key, number)];
    return (await this.#services.client.call('compare/files', { left, right })).files;
  }
}
