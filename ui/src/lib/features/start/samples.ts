import type { SkillOverview } from '$lib/api';
import type { ArtifactKind } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'files' | 'layout' | 'notifications' | 'opener' | 'runs'>;

/** What a first look is given: a prompt with its values, and a script that needs no model. */
export class Samples {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** The skill with the prompt; null if it was deleted. */
  get prompt(): SkillOverview | null {
    return this.#skill('consistency-checker');
  }

  /** The skill with the script; null if it was deleted. */
  get script(): SkillOverview | null {
    return this.#skill('workspace-link-auditor');
  }

  async openPrompt(): Promise<void> {
    const skill = this.prompt;
    if (skill && (await this.#open(skill, 'prompt_template'))) this.#services.layout.inspector.show('preview');
  }

  /** Runs the script on the sample workspace. */
  async runScript(): Promise<void> {
    const { opener, runs } = this.#services;
    if (!opener.isSampleOpen && !(await opener.openSample())) return;
    const skill = this.script;
    if (skill && (await this.#open(skill, 'code_template'))) runs.start(true);
  }

  #skill(slug: string): SkillOverview | null {
    return this.#services.catalog.skills.find((skill) => skill.slug === slug && skill.source === 'system' && !skill.shadowed) ?? null;
  }

  /** Opens the first file of a kind. */
  async #open(skill: SkillOverview, kind: ArtifactKind): Promise<boolean> {
    const { catalog, files, notifications } = this.#services;
    const detail = await catalog.details.load(skill);
    const path = detail?.entries.find((entry) => entry.artifact?.kind === kind)?.path;
    if (path === undefined) {
      notifications.report(`Couldn’t open ${skill.name}`, catalog.details.failureOf(skill));
      return false;
    }
    files.open(skill, path);
    return true;
  }
}
