import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import type { SkillOverview } from '$lib/api';
import type { ExportItem } from '$lib/api/generated';
import { EXPORT_FORMS } from './exportForms';
import { Exporter } from './exporter.svelte';
import { existing, exportable, notesOf, sizeOf } from './exportReport';

let b: Bench;
let exporter: Exporter;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  exporter = new Exporter(b.client);
});

const skills = (...slugs: string[]): SkillOverview[] => slugs.map((slug) => b.core.find(slug).summary);
const items = (): readonly ExportItem[] => exporter.report?.items ?? [];
const sent = (): Record<string, unknown> | undefined => b.core.callsOf('skill/export').at(-1);

it('only looks until there is a folder to write into', async () => {
  await exporter.start(skills('timeline-builder'));
  expect(sent()).toEqual({ skills: [{ skill: b.core.find('timeline-builder').summary.id, scope: 'account' }], normalize: false, dry_run: true });
  expect(exportable(items())).toHaveLength(1);
  expect(exporter.written).toBe(false);
  expect(await exporter.write('/tmp/out')).toBe(true);
  expect(sent()).toMatchObject({ out: '/tmp/out' });
  expect(sent()).not.toHaveProperty('dry_run');
});

it('shows for each form what it has no place for and which skill it isn’t for', async () => {
  b.core.exports.owned.add('timeline-builder');
  await exporter.start(skills('consistency-checker', 'timeline-builder'));
  expect(notesOf(items())).toEqual([]);
  await exporter.preview({ form: 'cowork' });
  expect(sent()).toMatchObject({ form: 'cowork', dry_run: true });
  const notes = notesOf(items());
  expect(notes.map(({ skill, tone }) => [skill, tone])).toEqual([
    ['Consistency Checker', 'info'],
    ['Timeline Builder', 'error'],
    ['Timeline Builder', 'info'],
  ]);
  expect(sizeOf(items())).toBe('1 skill with 1 file');
  expect(exportable(items())).toHaveLength(1);
});

it('replaces existing files only on request, and keeps what was written before', async () => {
  b.core.exports.inTheWay.add('link-auditor');
  await exporter.start(skills('timeline-builder', 'link-auditor'));
  expect(await exporter.write('/tmp/out')).toBe(false);
  expect(existing(items()).map(({ slug }) => slug)).toEqual(['link-auditor']);
  expect(await exporter.replace()).toBe(true);
  expect(sent()).toMatchObject({ skills: [{ skill: b.core.find('link-auditor').summary.id }], out: '/tmp/out', replace: true });
  expect(items().map(({ slug, failure }) => [slug, failure])).toEqual([['timeline-builder', null], ['link-auditor', null]]);
});

it('forgets the answer for a form that was left meanwhile, and what was closed', async () => {
  b.core.hold('skill/export');
  const first = exporter.start(skills('timeline-builder'));
  const waiting = b.core.held.get('skill/export') ?? [];
  b.core.held.delete('skill/export');
  await exporter.preview({ form: 'markdown' });
  for (const go of waiting) go();
  await first;
  await flushPromises();
  expect(exporter.options.form).toBe('markdown');
  expect(items()[0]?.path).toMatch(/markdown$/);
  exporter.close();
  expect(items()).toEqual([]);
});

it('offers every form once', () => {
  const ids = EXPORT_FORMS.flatMap(({ forms }) => forms.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(['amble', 'claude-skill', 'cowork', 'folder', 'json', 'markdown', 'openai-gpt', 'skill']);
});
