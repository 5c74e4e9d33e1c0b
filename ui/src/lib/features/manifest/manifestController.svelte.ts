import type { SkillOverview } from '$lib/api';
import { SKILL_JSON } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import type { ManifestView } from './manifestView.svelte';

type Needs = Pick<Services, 'actions' | 'catalog' | 'files' | 'notifications' | 'overlays' | 'tabs' | 'toasts'>;

const EMPTY = `${JSON.stringify({ metadata: { manifest: { version: 1 } } }, null, 2)}\n`;

/** Opens the manifests of skills as forms. */
export class ManifestController {
  /** The form in the active tab. */
  active = $state.raw<ManifestView | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Opens the form. A skill without `skill.json` gets one; can be undone. */
  async open(skill: SkillOverview): Promise<void> {
    const { actions, catalog, files, notifications, tabs, toasts } = this.#services;
    const detail = await catalog.details.load(skill);
    if (!detail) {
      notifications.report('Couldn’t open the manifest', catalog.details.failureOf(skill));
      return;
    }
    const path = detail.entries.find(({ role }) => role === 'manifest')?.path;
    if (path === undefined) {
      if (skill.locked) {
        toasts.show(`${skill.name} has no manifest.`, { hint: 'Duplicate the skill to add one.' });
        return;
      }
      const failure = await actions.addFile(skill, SKILL_JSON, EMPTY);
      if (failure) {
        notifications.reportFailure(`Couldn’t create ${SKILL_JSON}`, failure);
        return;
      }
    }
    files.open(skill, path ?? SKILL_JSON);
    tabs.groups.active.showAs('custom');
  }

  async check(skill: SkillOverview): Promise<void> {
    if (this.active?.document.file.skill.id !== skill.id) await this.open(skill);
    else this.active.readiness.refresh();
  }

  /** Asks for a page or file to attach to the active manifest. */
  attach(): void {
    if (!this.active || this.active.readOnly) return;
    this.active.toggle({ id: 'bindings' }, true);
    this.#services.overlays.show('manifestReference');
  }
}
