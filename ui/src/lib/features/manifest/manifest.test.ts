import { SvelteMap } from 'svelte/reactivity';
import { beforeEach, describe, expect, it } from 'vitest';
import SKILL_JSON from '../../../../tests/fake/skillJsonSchema.json';
import type { Diagnostic, Manifest } from '$lib/api/generated';
import type { JsonPath } from '$lib/domain';
import { attach, attached, findTargets } from './attaching';
import { type Group, groupsOf, manifestFields } from './groups';
import { itemName, newItem } from './items';
import { ManifestForm } from './manifestForm.svelte';
import { notesByPlace, ownerOf, placeOf } from './notes';
import { readinessLabel, remedyOf } from './readiness.svelte';
import { groupSummary, summaryOf } from './summary';

const TEXT = `{
  // kept
  "artifacts": [],
  "metadata": {
    "own": 1.0,
    "manifest": {
      "version": 1,
      "requiredTools": ["read_skill"], // beside
      "humanGates": [{ "key": "a", "label": "A", "when": "before_run" }],
    }
  }
}
`;

const held = new SvelteMap<'text', string>();
const typed: boolean[] = [];
const text = (): string => held.get('text') ?? '';
const source = {
  get edition() { return text().length; },
  replacement: 0,
  text,
  replace: (next: string, isTyped = false) => {
    held.set('text', next);
    typed.push(isTyped);
  },
};
let form: ManifestForm;

const fields = manifestFields(SKILL_JSON);
const groups = groupsOf(fields);
const group = (id: string): Group => {
  const found = groups.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

beforeEach(() => {
  held.set('text', TEXT);
  typed.length = 0;
  form = new ManifestForm(source);
});

describe('the form of a manifest', () => {
  it('shows what the text says', () => {
    expect(form.value(['requiredTools', 0])).toBe('read_skill');
    expect(form.value(['humanGates', 0, 'when'])).toBe('before_run');
    expect([form.value(['evals', 'triggerCases']), form.value(['requiredTools', 'x']), form.value(['toString'])]).toEqual([undefined, undefined, undefined]);
  });

  it('writes into the text, and leaves the rest as it is', () => {
    form.set(['requiredTools', 0], 'get_page', true);
    form.append(['requiredTools'], 'list_skills');
    form.set(['evals', 'optimization', 'maxIterations'], 5);
    expect(text()).toBe(TEXT.replace('["read_skill"]', '["get_page", "list_skills"]').replace('"before_run" }],\n', '"before_run" }],\n      "evals": {\n        "optimization": {\n          "maxIterations": 5\n        }\n      },\n'));
    expect(typed).toEqual([true, false, false]);
    form.set(['evals', 'optimization', 'maxIterations'], undefined);
    form.move(['requiredTools'], 1, 0);
    expect(text()).toBe(TEXT.replace('["read_skill"]', '["list_skills", "get_page"]'));
    form.set(['requiredTools', 1], undefined);
    form.set(['requiredTools', 0], undefined);
    expect(text()).toBe(TEXT.replace('      "requiredTools": ["read_skill"], // beside\n', ''));
  });

  it('makes a manifest with the first value, in one edit, and none to remove a value', () => {
    held.set('text', '{}');
    form.set(['forbiddenTools', 0], undefined);
    expect(text()).toBe('{}');
    form.append(['forbiddenTools'], 'x');
    expect(JSON.parse(text())).toEqual({ metadata: { manifest: { version: 1, forbiddenTools: ['x'] } } });
    expect(typed).toHaveLength(1);
  });

  it('says why a text can’t be edited, and shows what could be read of it', () => {
    expect(form.obstacle).toBeNull();
    held.set('text', TEXT.replace('"own": 1.0,', '"own" 1.0,'));
    expect(form.obstacle).toEqual({ message: 'colon expected at line 5, column 11', at: { line: 5, column: 11 } });
    expect(form.value(['requiredTools', 0])).toBe('read_skill');
    const broken = text();
    form.append(['requiredTools'], 'x');
    expect(text()).toBe(broken);
    const obstacleOf = (json: string): unknown => {
      held.set('text', json);
      return form.obstacle?.message;
    };
    expect(obstacleOf('[]')).toMatch(/must be a JSON object/);
    expect(obstacleOf('{"metadata": 1}')).toBe('metadata must be an object');
    expect(obstacleOf('{"metadata": {"manifest": []}}')).toBe('metadata.manifest must be an object');
    expect(obstacleOf('{"metadata": {"manifest": {"version": 2}}}')).toBe('manifest version 2 isn’t supported');
    expect(obstacleOf('{"metadata": {"manifest": {}}}')).toBeUndefined();
  });
});

describe('the groups', () => {
  it('have every field of the schema, each once', () => {
    expect(groups.map(({ id }) => id)).toEqual(['requirements', 'forbidden', 'actions', 'steps', 'delegation', 'gates', 'loop', 'evals', 'optimization', 'bindings', 'exposure']);
    expect(group('requirements').fields.map(({ field }) => field.label)).toEqual(['Tools', 'Tool groups', 'Integrations']);
    expect(group('evals').fields.map(({ field }) => field.key)).not.toContain('optimization');
    expect(group('optimization').fields.map(({ path }) => placeOf(path))).toContain('evals/optimization/promotion');
    const leaves = (path: JsonPath): number => groups.filter((one) => one.fields.some(({ path: other }) => placeOf(other) === placeOf(path) || placeOf(other).startsWith(`${placeOf(path)}/`))).length;
    for (const { key } of fields) expect([key, leaves([key]) > 0]).toEqual([key, true]);
  });

  it('say what isn’t executed', () => {
    expect(groups.filter(({ isInert }) => isInert).map(({ id }) => id)).toEqual(['steps', 'delegation', 'loop']);
    for (const { isInert, about } of groups) expect(about.includes('Declared only')).toBe(isInert);
  });

  it('show a field that nobody planned for', () => {
    const extended = structuredClone(SKILL_JSON) as unknown as { properties: { metadata: { properties: { manifest: { properties: Record<string, unknown> } } } } };
    extended.properties.metadata.properties.manifest.properties['newThing'] = { type: 'string', description: 'About it.' };
    expect(groupsOf(manifestFields(extended)).at(-1)).toMatchObject({ id: 'newThing', title: 'New thing', about: 'About it.', fields: [{ path: ['newThing'] }] });
    expect(groupsOf(manifestFields({}))).toEqual([]);
  });

  it('know what an absent value means', () => {
    const exposure = group('exposure').fields.map(({ field }) => field);
    expect(exposure).toMatchObject([{ kind: 'switch', default: true }, { kind: 'several', default: ['amble', 'markdown', 'claude-skill', 'openai-gpt', 'cowork'] }, { kind: 'text' }]);
  });
});

describe('an item', () => {
  const gates = group('gates').fields[0]?.field;
  const items = gates?.kind === 'list' && gates.item.kind === 'object' ? gates.item.fields : [];

  it('begins with its required fields and a free key', () => {
    expect(newItem(items, 'gate', [])).toEqual({ key: 'gate-1', label: '', when: 'before_run' });
    expect(newItem(items, 'gate', [{ key: 'gate-2' }])).toMatchObject({ key: 'gate-3' });
  });

  it('is named by its first text', () => {
    expect(itemName({ key: '', label: 'Read it' }, items)).toBe('Read it');
    expect(itemName({ when: 'x' }, items)).toBe('');
  });
});

describe('what the validator says', () => {
  const diagnostic = (pointer: string | null, message = 'wrong', severity: Diagnostic['severity'] = 'error'): Diagnostic =>
    ({ rule: 'manifest/value', severity, message, hint: 'fix it', file: 'skill.json', line: 1, column: 1, end_line: null, end_column: null, pointer });

  it('stands at the deepest field on the way to it', () => {
    const owner = (pointer: string): unknown => ownerOf(pointer, fields);
    expect(owner('/metadata/manifest/requiredTools/1')).toEqual(['requiredTools', 1]);
    expect(owner('/metadata/manifest/humanGates/0/when')).toEqual(['humanGates', 0, 'when']);
    expect(owner('/metadata/manifest/humanGates/0/own~1key')).toEqual(['humanGates', 0]);
    expect(owner('/metadata/manifest/evals/optimization/promotion')).toEqual(['evals', 'optimization', 'promotion']);
    expect(owner('/metadata/manifest/deterministicSteps/0/params/a/b')).toEqual(['deterministicSteps', 0, 'params']);
    expect(owner('/metadata/manifest/own')).toEqual([]);
    expect(owner('/metadata/manifest')).toEqual([]);
    expect([owner('/metadata/manifestation'), owner('/artifacts/0')]).toEqual([null, null]);
  });

  it('is a sentence beside its field, without hints and other parts of the file', () => {
    const notes = notesByPlace([diagnostic('/metadata/manifest/requiredTools/0', 'item 0 is empty'), diagnostic('/run/0'), diagnostic(null), diagnostic('/metadata/manifest/bindings', 'x', 'hint')], fields);
    expect([...notes]).toEqual([['requiredTools/0', [{ severity: 'error', text: 'Item 0 is empty. Fix it.' }]]]);
  });
});

describe('the summary', () => {
  it('counts what is declared', () => {
    form.append(['requiredIntegrations'], { integrationId: 'dspy' });
    form.set(['interop', 'exposeViaMcp'], false);
    form.set(['goalLoop', 'checkInCadence'], 'daily');
    form.append(['goalLoop', 'successCriteria'], 'done');
    expect(summaryOf(form.value)).toBe('1 required tool, 1 required integration, 1 gate, a goal loop, hidden from MCP clients');
    expect(groupSummary(group('requirements'), form.value)).toBe('1 tool, 1 integration');
    expect(groupSummary(group('loop'), form.value)).toBe('1 criterion, 1 setting');
    expect(groupSummary(group('steps'), form.value)).toBe('');
    held.set('text', '{}');
    expect(summaryOf(form.value)).toBe('');
  });
});

describe('readiness', () => {
  const requirement = (kind: Manifest.RequirementKind, name: string, status: Manifest.RequirementStatus = 'missing'): Manifest.Requirement => ({ kind, name, status, detail: 'd', advice: null });

  it('is one sentence', () => {
    const readiness = { ready: false, ok: 1, missing: 2, unknown: 0, requirements: [requirement('tool', 'x')], blockers: ['x'] };
    expect(readinessLabel(readiness)).toBe('Not ready: 2 missing, 1 OK.');
    expect(readinessLabel({ ...readiness, ready: true, missing: 0, unknown: 1 })).toBe('Ready: 1 unknown, 1 OK.');
    expect(readinessLabel({ ...readiness, requirements: [] })).toBe('Ready. Nothing is required.');
  });

  it('leads to the place where something can be set up', () => {
    expect(remedyOf(requirement('integration', 'anthropic'), true)).toBe('models');
    expect(remedyOf(requirement('integration', 'anthropic', 'ok'), true)).toBeNull();
    expect(remedyOf(requirement('integration', 'dspy'), true)).toBe('dspy');
    for (const name of ['env:KEY', 'executable:git', 'sandbox']) expect(remedyOf(requirement('integration', name), true)).toBeNull();
    expect([remedyOf(requirement('tool', 'get_page'), false), remedyOf(requirement('tool', 'get_page'), true)]).toEqual(['folder', null]);
    expect([remedyOf(requirement('tool_group', 'workspace'), false), remedyOf(requirement('tool', 'x'), false)]).toEqual(['folder', null]);
  });
});

describe('attaching', () => {
  const calls: unknown[] = [];
  const client = (workspace: string | null): Parameters<typeof findTargets>[0] => ({
    workspace,
    call: (name: string, params: unknown) => {
      calls.push([name, params]);
      return Promise.resolve({ offers: [{ target_kind: 'entity', target_ref: 'aria', form: 'page', title: 'Aria' }, { target_kind: 'document', target_ref: 'notes.txt', form: 'file', title: 'notes.txt' }], is_partial: true });
    },
  }) as unknown as Parameters<typeof findTargets>[0];

  it('offers pages of the workspace and files of the skill, not files of the workspace', async () => {
    const refs = async (workspace: string | null, query: string): Promise<string[]> => (await findTargets(client(workspace), query, ['prompts/a.j2', 'references/rules.md'])).offers.map(({ target_ref }) => target_ref);
    expect(await refs('/w', 'rules')).toEqual(['aria', 'references/rules.md']);
    expect(await refs(null, '')).toEqual(['prompts/a.j2', 'references/rules.md']);
    expect(calls).toEqual([['reference/search', { query: 'rules' }]]);
  });

  it('adds reference material', () => {
    attach(form, { target_kind: 'entity', target_ref: 'aria' });
    form.append(['bindings'], { targetKind: 'agent', targetRef: 'x' });
    form.append(['bindings'], 'broken');
    expect(form.value(['bindings', 0])).toEqual({ targetKind: 'entity', targetRef: 'aria', relationshipType: 'references' });
    expect(attached(form)).toEqual([{ target_kind: 'entity', target_ref: 'aria' }]);
  });
});
