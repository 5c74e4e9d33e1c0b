import { beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { ARRIVING, CONTESTED } from '../../../../tests/fake/imports';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import type { ImportItem } from '$lib/api/generated';
import { Importer } from './importer.svelte';
import { countStatuses, filtersOf, hasDuplicates, noteText, rowsOf, shownItems, summaryOf } from './importRows';
import { resultLabel, resolutionLabel } from './resolutions';

const AT = '/home/ada/skills';
let b: Bench;
let importer: Importer;
let writable: boolean;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  b.core.imports.arriving = [...ARRIVING, ...CONTESTED];
  writable = false;
  importer = new Importer(b.client, b.catalog, () => writable);
  await importer.start([AT], 'account');
});

const at = (folder: string): ImportItem => {
  const found = importer.items?.find(({ path }) => path === `${AT}/${folder}`);
  if (!found) throw new Error(`no ${folder}`);
  return found;
};
const sent = (): Record<string, unknown> | undefined => b.core.callsOf('skill/import').at(-1);
const changes = (): number => importer.choices.count(importer.items ?? []);
const resolutions = (): string[] => (importer.items ?? []).map((item) => importer.choices.of(item));

describe('what is stored', () => {
  it('is kept as a third party’s when that is wanted, until the next import', async () => {
    importer.options.thirdParty = true;
    await importer.apply();
    expect(sent()).toEqual({ paths: [AT], scope: 'account', dry_run: false, third_party: true });
    await importer.start([AT], 'account');
    expect(importer.options.thirdParty).toBe(false);
  });

  it('is reported when something ends the import early', async () => {
    b.core.imports.failure = fail('io', 'no space left to write agents.db');
    await importer.apply();
    expect([importer.applied, importer.call.failure]).toEqual([true, null]);
    expect(importer.report?.failure?.code).toBe('io');
    expect(importer.report && summaryOf(importer.report)).toBe('Canceled after 1 of 6: 1 imported');
  });

  it('is what is new and the updates, unless someone says otherwise', async () => {
    expect(changes()).toBe(2);
    expect(resolutions()).toEqual(['replace', 'merge', 'skip', 'skip', 'skip', 'skip']);
    await importer.apply();
    expect(sent()).toEqual({ paths: [AT], scope: 'account', dry_run: false });
    expect(importer.report && summaryOf(importer.report)).toBe('2 imported, 2 skipped, 1 unchanged, 1 couldn’t be imported');
    expect(resultLabel(at('timeline-builder'))).toBe('Not imported: conflict');
  });

  it('is what was chosen, with the files of the other side that a merge takes', async () => {
    importer.choices.want(at('pdf-forms'), false);
    importer.choices.choose(at('timeline-builder'), 'SKILL.md', true);
    expect(changes()).toBe(2);
    await importer.apply();
    expect(sent()).toMatchObject({
      only_chosen: true,
      choices: [
        { path: `${AT}/link-auditor`, action: 'merge' },
        { path: `${AT}/timeline-builder`, action: 'merge', theirs: ['SKILL.md'] },
      ],
    });
    expect(resultLabel(at('pdf-forms'))).toBe('Skipped');
  });

  it('takes no side along once it isn’t merged, and none that was taken back', async () => {
    importer.choices.choose(at('timeline-builder'), 'SKILL.md', true);
    importer.choices.set(at('timeline-builder'), 'both');
    importer.choices.choose(at('link-auditor'), 'SKILL.md', true);
    importer.choices.choose(at('link-auditor'), 'SKILL.md', false);
    await importer.apply();
    expect(sent()?.['choices']).toContainEqual({ path: `${AT}/timeline-builder`, action: 'both' });
    expect(sent()?.['choices']).toContainEqual({ path: `${AT}/link-auditor`, action: 'merge' });
  });
});

describe('a conflict', () => {
  it('can be overridden only from the account, with a workspace to write to', async () => {
    expect(importer.choices.offered(at('timeline-builder'))).toEqual(['skip', 'merge', 'replace', 'both']);
    expect(importer.choices.offered(at('consistency-checker'))).toEqual(['skip', 'both']);
    importer.choices.set(at('consistency-checker'), 'override');
    expect(importer.choices.of(at('consistency-checker'))).toBe('skip');
    writable = true;
    await importer.preview();
    expect(importer.choices.offered(at('consistency-checker'))).toEqual(['skip', 'both', 'override']);
    importer.choices.want(at('consistency-checker'), true);
    expect(importer.choices.of(at('consistency-checker'))).toBe('override');
    await importer.preview({ scope: 'workspace' });
    expect(importer.choices.offered(at('timeline-builder'))).not.toContain('override');
  });

  it('is wanted without losing anything: merged, or beside what is locked', () => {
    importer.choices.want(at('timeline-builder'), true);
    importer.choices.want(at('consistency-checker'), true);
    expect(resolutions()).toEqual(['replace', 'merge', 'skip', 'merge', 'both', 'skip']);
    expect([resolutionLabel('merge', at('timeline-builder')), resolutionLabel('merge', at('link-auditor'))]).toEqual(['Merge', 'Update']);
  });

  it('isn’t chosen with all others, only where one looks at nothing else', () => {
    importer.choices.wantAll(importer.items ?? [], false, true);
    expect(changes()).toBe(0);
    importer.choices.wantAll(importer.items ?? [], true, false);
    expect(changes()).toBe(2);
    importer.choices.wantAll(shownItems(importer.items ?? [], { status: 'conflict', text: '' }), true, true);
    expect(changes()).toBe(3);
  });

  it('shows its files on three sides', async () => {
    const { base, ours, theirs } = await importer.versions(at('timeline-builder'), 'SKILL.md');
    expect(b.core.callsOf('import/file')).toEqual([{ path: `${AT}/timeline-builder`, skill: 'skill-of-timeline-builder', scope: 'account', base: 1, file: 'SKILL.md' }]);
    expect(new Set([base.text, ours.text, theirs.text]).size).toBe(3);
  });
});

describe('how far it is', () => {
  it('is shown while it checks and stores, and a canceled import says what was stored', async () => {
    b.core.hold('skill/import');
    const applied = importer.apply();
    await flushPromises();
    b.core.far('skill/import', 2, 6);
    expect([importer.call.doing, importer.call.progress]).toEqual(['storing', { done: 2, total: 6 }]);
    importer.call.cancel();
    importer.call.cancel();
    expect([importer.call.isCanceling, b.core.stops]).toEqual([true, 1]);
    b.core.release('skill/import');
    await applied;
    expect(importer.applied).toBe(true);
    expect(importer.report && summaryOf(importer.report)).toBe('Canceled after 1 of 6: 1 imported');
  });

  it('is canceled when the dialog closes, and its reply dropped', async () => {
    b.core.hold('skill/import');
    const preview = importer.preview();
    await flushPromises();
    importer.close();
    b.core.release('skill/import');
    await preview;
    expect([b.core.stops, importer.items, importer.call.busy]).toEqual([1, null, false]);
  });

  it('says what went wrong and keeps what was chosen', async () => {
    importer.choices.want(at('pdf-forms'), false);
    b.core.failing.set('skill/import', fail('readOnly', 'the disk is full'));
    await importer.apply();
    expect([importer.call.failure?.message, importer.applied, changes()]).toEqual(['the disk is full', false, 1]);
    b.core.failing.clear();
    await importer.apply();
    expect(importer.applied).toBe(true);
  });
});

describe('the list', () => {
  it('is narrowed by status and words, with those that were refused in front once it is done', () => {
    const items = importer.items ?? [];
    expect(filtersOf(countStatuses(importer.items ?? []))).toEqual(['new', 'update', 'conflict', 'locked', 'unchanged', 'refused']);
    expect(shownItems(items, { status: 'locked', text: '' }).map(({ slug }) => slug)).toEqual(['consistency-checker']);
    expect(shownItems(items, { status: 'all', text: ' TIMELINE ' }).map(({ slug }) => slug)).toEqual(['timeline-builder']);
    expect(shownItems(items, { status: 'all', text: '' }, true)[0]?.status).toBe('refused');
  });

  it('has a line for each skill, each oddity, and each file of those that are open', () => {
    const item = at('timeline-builder');
    const rows = (open: string[]): string[] => rowsOf([item], new Set(open)).map((row) => (row.kind === 'file' ? row.file.path : row.kind));
    expect(rows([])).toEqual(['skill', 'note', 'note']);
    expect(rows([item.path])).toEqual(['skill', 'note', 'note', 'SKILL.md', 'prompts/order.j2', 'references/dates.md', 'scripts/sort.py']);
    expect(rowsOf([at('pdf-forms')], new Set([`${AT}/pdf-forms`]))).toHaveLength(1);
  });

  it('says why two can’t both come, with their places in what was chosen, and renames them when asked', async () => {
    const message = `${AT}/a/pdf-forms and ${AT}/pdf-forms are both the skill pdf-forms`;
    const diagnostic = { rule: 'import/duplicate', severity: 'error' as const, message, hint: null, file: `${AT}/pdf-forms`, line: null, column: null, end_line: null, end_column: null, pointer: null };
    expect(noteText(diagnostic, [AT], at('pdf-forms'))).toBe('a/pdf-forms and pdf-forms are both the skill pdf-forms. Import one of them, or choose “Rename duplicates”.');
    expect(noteText(diagnostic, [AT], at('pdf-forms'), 'message')).toBe('a/pdf-forms and pdf-forms are both the skill pdf-forms.');
    expect(hasDuplicates(importer.items ?? [])).toBe(false);
    b.core.imports.arriving = [{ folder: 'pdf-forms', slug: 'pdf-forms', status: 'refused', diagnostics: [diagnostic] }];
    await importer.preview();
    expect(hasDuplicates(importer.items ?? [])).toBe(true);
    await importer.preview({ rename: true });
    expect(sent()).toEqual({ paths: [AT], scope: 'account', rename: true, dry_run: true });
  });

  it('is made at once for ten thousand', async () => {
    b.core.imports.arriving = Array.from({ length: 10_000 }, (_, index) => ({ folder: `s-${index}`, slug: `s-${index}`, status: 'new' as const }));
    await importer.preview();
    importer.choices.wantAll(importer.items ?? [], false, true);
    importer.choices.want(at('s-5000'), true);
    expect(changes()).toBe(1);
    expect(rowsOf(importer.items ?? [], new Set())).toHaveLength(10_000);
  });
});
