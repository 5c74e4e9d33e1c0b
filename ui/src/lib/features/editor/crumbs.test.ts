import { describe, expect, it } from 'vitest';
import { type Bench, bench } from '../../../../tests/support';
import { choicesOf, type CrumbSource, crumbsOf, type Whereabouts } from './crumbs';
import { headingsOf } from './headings';
import { symbolAt } from './outline';

async function source(): Promise<{ b: Bench; source: CrumbSource; where: Whereabouts }> {
  const b = await bench();
  const skill = b.core.find('link-auditor').summary;
  const key = { scope: skill.scope, id: skill.id };
  await b.catalog.details.load(key);
  return {
    b,
    where: { key, skill: skill.name, path: 'scripts/audit.sh' },
    source: {
      scopes: () => [{ scope: 'workspace', label: 'notes' }, { scope: 'account', label: 'Account' }],
      skills: (scope) => b.catalog.skills.filter((one) => one.scope === scope),
      entries: (one) => b.catalog.details.get(one)?.entries ?? null,
      load: (one) => b.catalog.details.load(one),
      openFile: () => undefined,
    },
  };
}

const TEXT = '---\nname: x\n# not one\n---\n# Task\ntext\n## First ##\n```\n# in code\n```\n### Deep\n## Second\nend\n# Last\n';

describe('the path above a text', () => {
  it('names scope, skill, folders, file and what is around the cursor', async () => {
    const { source: from, where } = await source();
    const symbol = { name: 'Task', kind: 'heading', line: 5, endLine: 9, level: 1 };
    expect(crumbsOf(from, where, symbol).map(({ label }) => label)).toEqual(['Account', 'Link Auditor', 'scripts', 'audit.sh', 'Task']);
    expect(crumbsOf(from, { ...where, path: 'SKILL.md' }, null).map(({ label }) => label)).toEqual(['Account', 'Link Auditor', 'SKILL.md']);
  });

  it('offers what is beside each part, the part itself marked', async () => {
    const { source: from, where } = await source();
    const [, skill, folder, file] = crumbsOf(from, where, null);
    const offered = (crumb = skill): [string, boolean | undefined][] =>
      crumb ? (choicesOf(from, crumb.level, [], crumb.chosen) ?? []).map(({ text, current }) => [text, current]) : [];
    expect(offered()).toContainEqual(['Link Auditor', true]);
    expect(offered(folder)).toContainEqual(['scripts', true]);
    expect(offered(folder)).toContainEqual(['SKILL.md', false]);
    expect(offered(file)).toEqual([['audit.sh', true]]);
  });

  it('goes on into skills and folders, which may have to be read first', async () => {
    const { b, source: from } = await source();
    const other = b.core.find('timeline-builder').summary;
    const level = { kind: 'files', key: { scope: other.scope, id: other.id }, folder: '' } as const;
    expect(choicesOf(from, level, [])).toBeNull();
    await from.load(level.key);
    const found = choicesOf(from, level, []) ?? [];
    expect(found.find(({ text }) => text === 'prompts')?.step).toEqual({ into: { ...level, folder: 'prompts' } });
    expect(found.find(({ text }) => text === 'SKILL.md')?.step).toEqual({ open: 'SKILL.md', key: level.key });
  });

  it('lists the outline by depth', async () => {
    const { source: from } = await source();
    const items = headingsOf(TEXT);
    expect(choicesOf(from, { kind: 'symbols' }, items, 'line:7')?.map(({ text, level, current }) => [text, level, current])).toEqual([
      ['Task', 0, false], ['First', 1, true], ['Deep', 2, false], ['Second', 1, false], ['Last', 0, false],
    ]);
  });
});

describe('headings', () => {
  it('leave out frontmatter and code, and know where they end', () => {
    expect(headingsOf(TEXT).map(({ name, line, endLine, level }) => [name, line, endLine, level])).toEqual([
      ['Task', 5, 13, 1], ['First', 7, 11, 2], ['Deep', 11, 11, 3], ['Second', 12, 13, 2], ['Last', 14, 15, 1],
    ]);
  });

  it('are found around a line', () => {
    const items = headingsOf(TEXT);
    expect([1, 5, 9, 11, 13, 15].map((line) => items[symbolAt(items, line)]?.name)).toEqual([undefined, 'Task', 'First', 'Deep', 'Second', 'Last']);
  });
});
