import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { SkillList } from './skillList.svelte';

let b: Bench;
let skills: SkillList;

const slugs = (): string[] => skills.shown.map(({ slug }) => slug);
const at = (slug: string): number => skills.shown.findIndex((one) => one.slug === slug);

async function later(): Promise<void> {
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  skills = new SkillList(b.client, b.feed);
  await flushPromises();
});

describe('the list of skills', () => {
  it('begins with the first one and its instructions, without the frontmatter', () => {
    expect(skills.index).toBe(0);
    expect(skills.shown.length).toBeGreaterThan(2);
    expect(skills.instructions.text).not.toBeUndefined();
    expect(skills.instructions.text).not.toContain('description:');
  });

  it('shows no heading that repeats the name above it', async () => {
    const { summary } = b.core.find('timeline-builder');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', `---\nname: timeline-builder\n---\n\n# ${summary.name}\n\n## Steps\n`);
    await later();
    skills.go(at('timeline-builder'));
    await flushPromises();
    expect(skills.instructions.text).toBe('## Steps\n');
  });

  it('is filtered by words in any order, and the cursor stays on a visible skill', async () => {
    skills.filter('builder TIMELINE');
    await flushPromises();
    expect(slugs()).toEqual(['timeline-builder']);
    expect(skills.current?.slug).toBe('timeline-builder');
    skills.filter('nothing like it');
    expect(slugs()).toEqual([]);
    expect(skills.current).toBeNull();
    skills.filter('');
    expect(skills.current).not.toBeNull();
  });

  it('follows changes made elsewhere', async () => {
    skills.go(at('timeline-builder'));
    await flushPromises();
    const { summary } = b.core.find('timeline-builder');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', '---\nname: timeline-builder\n---\n\nOther words.\n');
    await later();
    expect(skills.current?.id).toBe(summary.id);
    expect(skills.instructions.text).toContain('Other words.');
  });

  it('moves to the neighbor of a deleted skill', async () => {
    const deleted = skills.shown[1];
    const next = skills.shown[2];
    skills.go(1);
    await flushPromises();
    await b.client.call('skill/delete', { skill: deleted?.id ?? '', scope: deleted?.scope ?? 'account' });
    await later();
    expect(skills.current?.id).toBe(next?.id);
  });

  it('shows why instructions can’t be loaded, and retries', async () => {
    b.core.failing.set('file/read', fail('io', 'the disk is gone'));
    skills.go(1);
    await flushPromises();
    expect(skills.instructions.failure?.message).toBe('the disk is gone');
    b.core.failing.delete('file/read');
    await skills.instructions.show(skills.current);
    expect(skills.instructions.failure).toBeNull();
    expect(skills.instructions.text).not.toBeUndefined();
  });

  it('shows why the skills can’t be loaded, and keeps the loaded ones', async () => {
    const before = slugs();
    b.core.failing.set('skill/list', fail('busy', 'another program is writing'));
    skills.refresh();
    await flushPromises();
    expect(skills.failure?.message).toBe('another program is writing');
    expect(slugs()).toEqual(before);
  });

  it('ignores changes once it is closed', async () => {
    skills.close();
    const before = b.core.callsOf('skill/list').length;
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', 'x');
    await later();
    expect(b.core.callsOf('skill/list')).toHaveLength(before);
  });
});
