import { type JsonPath, slugify } from '$lib/domain';
import { TOOLS } from '$lib/features/agents';
import { type Document, SKILL_JSON, SKILL_MD } from '$lib/features/editor';
import type { Symbols } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { patternOf } from './texts';

type Needs = Pick<Services, 'catalog' | 'chatAgents' | 'models' | 'savedActions' | 'symbols'>;

/** The groups that readiness knows. */
export const TOOL_GROUPS = ['skills-read', 'skills-write', 'workspace', 'run', 'compose', 'admin'];
/** Integrations besides model providers. */
const INTEGRATIONS = ['sandbox', 'dspy'];
const TOOL_NAMES = TOOLS.map(({ name }) => name);

/** Known values for the fields of a manifest. Any other text can be entered as well. */
export class Suggestions {
  readonly #services: Needs;
  readonly #read: (path: JsonPath) => unknown;
  /** Null until they are read. */
  #names = $state.raw<Symbols.Names | null>(null);

  /** `read` gives the other values of the manifest. */
  constructor(services: Needs, read: (path: JsonPath) => unknown) {
    this.#services = services;
    this.#read = read;
  }

  /** The files of the skill that a manifest can refer to. */
  get files(): readonly string[] {
    return this.#names?.files.filter((path) => path !== SKILL_MD && path !== SKILL_JSON) ?? [];
  }

  async load(document: Document): Promise<void> {
    for (const list of [this.#services.chatAgents, this.#services.savedActions]) if (list.list === null) void list.load();
    this.#names = await this.#services.symbols.help.names(document).catch(() => null);
  }

  at(path: JsonPath): readonly string[] {
    switch (patternOf(path)) {
      case 'requiredTools/*':
      case 'forbiddenTools/*':
        return TOOL_NAMES;
      case 'requiredToolGroups/*':
        return TOOL_GROUPS;
      case 'requiredIntegrations/*/integrationId':
        return this.#integrations();
      case 'actions/*/actionSlug':
        return this.#services.savedActions.list?.map(({ slug }) => slug) ?? [];
      case 'deterministicSteps/*/ref':
        return this.#targets(this.#read([...path.slice(0, -1), 'kind']));
      case 'delegation/*/agentSlug':
        return this.#services.chatAgents.list?.map(({ name }) => slugify(name)) ?? [];
      case 'evals/baselineSkillSlug':
      case 'evals/optimization/baselineSkillSlug':
        return this.#services.catalog.skills.filter(({ shadowed }) => !shadowed).map(({ slug }) => slug);
      default:
        return [];
    }
  }

  #targets(kind: unknown): readonly string[] {
    if (kind === 'tool') return TOOL_NAMES;
    if (kind === 'integration_sync') return this.#integrations();
    const scripts = this.#names?.artifacts.filter((artifact) => artifact.kind === 'code_template').map(({ path }) => path);
    return kind === 'script' ? (scripts ?? []) : [];
  }

  #integrations(): readonly string[] {
    return [...(this.#services.models.setup?.providers.map(({ name }) => name) ?? []), ...INTEGRATIONS];
  }
}
