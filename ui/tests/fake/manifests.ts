// The manifest in skill.json, in memory: readiness and the findings that tests ask for, from its values alone.
import { isRecord, JsonDocument, WITH_COMMENTS } from '$lib/domain';
import type { Diagnostic, Manifest, OutputOf, SkillManifestSummary } from '$lib/api/generated';
import type { SeedFile } from './seed';

const TOOLS = ['read_skill', 'list_skills', 'get_page'];
const GROUPS = ['skills-read', 'skills-write', 'workspace', 'run', 'compose', 'admin'];

export const NO_SUMMARY: SkillManifestSummary = {
  declared: false, triggers: [], requiredTools: [], requiredToolGroups: [], forbiddenTools: [], integrations: [], actions: [], deterministicSteps: 0, delegates: [], humanGates: 0,
  requiredGates: 0, goalLoop: false, reviewMode: null, bindings: 0,
  evals: { contract: false, triggerCases: 0, functionalScenarios: 0, successCriteria: 0, trackedMetrics: 0, baseline: null, autonomousPromotion: false },
  exposeViaMcp: null, exportFormats: null, externalSafeSummary: null,
};

const jsonOf = (text: string): JsonDocument => new JsonDocument({ edition: 0, replacement: 0, text: () => text, replace: () => undefined }, WITH_COMMENTS);

const namesAt = (json: JsonDocument, key: string, name?: string): string[] => {
  const list = json.at(['metadata', 'manifest', key]);
  return (Array.isArray(list) ? list : []).map((one: unknown) => String(name !== undefined && isRecord(one) ? one[name] : one));
};

export function readinessOf(files: ReadonlyMap<string, SeedFile>): OutputOf<'manifest/readiness'> {
  const json = jsonOf(files.get('skill.json')?.text ?? '{}');
  const one = (kind: Manifest.RequirementKind, known: readonly string[] | null, what: string) => (name: string): Manifest.Requirement => {
    if (known === null) return { kind, name, status: 'unknown', detail: 'the settings can\'t be read', advice: 'check the model settings' };
    return known.includes(name) ? { kind, name, status: 'ok', detail: 'available', advice: null } : { kind, name, status: 'missing', detail: `no ${what} has this name`, advice: 'correct the name in the manifest' };
  };
  const requirements = [
    ...namesAt(json, 'requiredTools').map(one('tool', TOOLS, 'tool')),
    ...namesAt(json, 'requiredToolGroups').map(one('tool_group', GROUPS, 'tool group')),
    ...namesAt(json, 'requiredIntegrations', 'integrationId').map(one('integration', null, 'integration')),
    ...namesAt(json, 'humanGates', 'key').map((name): Manifest.Requirement => ({ kind: 'human_gate', name, status: 'ok', detail: 'manual gate', advice: null })),
  ];
  const of = (status: Manifest.RequirementStatus): Manifest.Requirement[] => requirements.filter((requirement) => requirement.status === status);
  const readiness = { ready: of('missing').length === 0, ok: of('ok').length, missing: of('missing').length, unknown: of('unknown').length, requirements, blockers: of('missing').map(({ name }) => name) };
  return { summary: NO_SUMMARY, readiness };
}

/** What the validator says about tools that are empty, or required and forbidden, and about broken JSON. */
export function checkSkillJson(path: string, text: string): Diagnostic[] {
  const json = jsonOf(text);
  const found = (rule: string, severity: Diagnostic['severity'], message: string, pointer: string | null, line = 1, column = 1): Diagnostic => ({ rule, severity, message, hint: null, file: path, line, column, end_line: null, end_column: null, pointer });
  const { problem } = json;
  if (problem) return [found('skill-json/syntax', 'error', `invalid JSON: ${problem.message}`, null, problem.line, problem.column)];
  const required = namesAt(json, 'requiredTools');
  return [
    ...required.flatMap((name, at) => (name === '' ? [found('manifest/value', 'error', `item ${at} of "requiredTools" is empty`, `/metadata/manifest/requiredTools/${at}`)] : [])),
    ...namesAt(json, 'forbiddenTools').flatMap((name, at) => (required.includes(name) ? [found('manifest/contradiction', 'warning', `the tool "${name}" is both required and forbidden`, `/metadata/manifest/forbiddenTools/${at}`)] : [])),
  ];
}
