import { labelOf, type JsonPath } from '$lib/domain';

/** A field's path with `*` for the items of a list, such as `humanGates` / `*` / `when`. */
export const patternOf = (path: JsonPath): string => path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');

interface FieldTexts {
  label?: string;
  /** An item of the list. */
  one?: string;
  help?: string;
  /** Lines of text. */
  lines?: number;
}

/** Where a label that is made of the key, or the description of the schema, isn't enough. */
const FIELDS: Readonly<Record<string, FieldTexts>> = {
  requiredTools: { label: 'Tools', one: 'tool' },
  requiredToolGroups: { label: 'Tool groups', one: 'tool group' },
  requiredIntegrations: { label: 'Integrations', one: 'integration' },
  'requiredIntegrations/*/integrationId': { label: 'Integration', help: 'A model provider, sandbox, dspy, executable:NAME or env:NAME.' },
  'requiredIntegrations/*/requiredResources': { label: 'Resources', one: 'resource' },
  forbiddenTools: { label: 'Forbidden tools', one: 'tool' },
  actions: { label: 'Actions', one: 'action' },
  'actions/*/actionSlug': { label: 'Action' },
  deterministicSteps: { label: 'Steps', one: 'step' },
  'deterministicSteps/*/ref': { label: 'Target' },
  'deterministicSteps/*/params': { label: 'Parameters', help: 'Parameters of the call, as JSON.' },
  delegation: { label: 'Agents', one: 'agent' },
  'delegation/*/agentSlug': { label: 'Agent' },
  'delegation/*/requiredOutputs': { label: 'Outputs', one: 'output' },
  humanGates: { label: 'Gates', one: 'gate' },
  'goalLoop/checkInCadence': { label: 'Check-in cadence' },
  'goalLoop/successCriteria': { one: 'criterion' },
  'goalLoop/stopConditions': { one: 'condition' },
  'goalLoop/defaultReviewMode': { label: 'Review mode' },
  'evals/triggerCases': { one: 'trigger case' },
  'evals/functionalScenarios': { one: 'scenario' },
  'evals/successCriteria': { one: 'criterion', help: 'What a good result looks like.' },
  'evals/trackedMetrics': { one: 'metric' },
  'evals/criteriaSetRefs': { label: 'Criteria sets', one: 'criteria set' },
  'evals/baselineSkillSlug': { label: 'Baseline skill', help: 'Read for older manifests. The one under Optimization wins.' },
  'evals/optimization/baselineSkillSlug': { label: 'Baseline skill' },
  'evals/optimization/baselineCandidateSlug': { label: 'Baseline candidate', help: 'The candidate that others are compared with. The baseline skill takes precedence.' },
  'evals/optimization/currentCandidateSlug': { label: 'Current candidate' },
  'evals/optimization/maxIterations': { label: 'Maximum iterations' },
  'evals/optimization/promotion/minOverallScore': { label: 'Minimum score', help: 'From 0 to 5, on held-out cases. Required unless a person promotes.' },
  bindings: { label: 'Bindings', one: 'binding' },
  'bindings/*/relationshipType': { label: 'Relation' },
  'interop/exposeViaMcp': { label: 'Visible to MCP clients', help: 'If cleared, MCP clients don’t see the skill.' },
  'interop/exportFormats': { help: 'Formats that the skill can be exported to.' },
  'interop/externalSafeSummary': { label: 'Public summary', lines: 3 },
};

/** Names of values that a label made of the word would spell differently. */
const VALUES: Readonly<Record<string, string>> = {
  amble: 'Amble',
  'claude-skill': 'Claude skill',
  entity: 'Page',
  entity_type: 'Page type',
  document: 'File',
  'goal_loop': 'Goal loop',
  human_gate: 'By a person',
  autonomous_threshold: 'By score',
  'openai-gpt': 'OpenAI GPT',
  sop: 'Procedure',
};

export const valueLabel = (value: string): string => VALUES[value] ?? labelOf(value);

export const textsOf = (path: JsonPath): FieldTexts => FIELDS[patternOf(path)] ?? {};

/** "tool" */
export const nounOf = (path: JsonPath): string => textsOf(path).one ?? 'item';

export const pluralOf = (noun: string): string => (noun === 'criterion' ? 'criteria' : `${noun}s`);
