import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { SkillList } from './skillList.svelte';

let b: Bench;
let skills: SkillList;

const slugs = (): string[] => skills.shown.map(({ slug }) => slug);
const at = (slug: string): number => skills.shown.findIndex((one) => one.slug === slug);

async function later(): Promise<void> {
  await vi.advanceTimersByTimeAsync(200);
  await settle();
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  skills = new SkillList(b.client, b.feed);
  await settle();
});

describe('the list of skills', () => {
  it('begins with the first one and its instructions, without the frontmatter', () => {
    expect(skills.index).toBe(0);
    expect(skills.shown.length).toBeGreaterThan(2);
    expect(skills.text).not.toBeUndefined();
    expect(skills.text).not.toContain('description:');
  });

  it('shows no heading that repeats the name above it', async () => {
    const { summary } = b.core.find('timeline-builder');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', `---\nname: timeline-builder\n---\n\n# ${summary.name}\n\n## Steps\n`);
    await later();
    skills.go(at('timeline-builder'));
    await settle();
    expect(skills.text).toBe('## Steps\n');
  });

  it('is filtered by words in any order, and the cursor stays on what is shown', async () => {
    skills.filter('builder TIMELINE');
    await settle();
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
    await settle();
    const { summary } = b.core.find('timeline-builder');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', '---\nname: timeline-builder\n---\n\nOther words.\n');
    await later();
    expect(skills.current?.id).toBe(summary.id);
    expect(skills.text).toContain('Other words.');
  });

  it('goes on with the neighbor of a deleted skill', async () => {
    const gone = skills.shown[1];
    const next = skills.shown[2];
    skills.go(1);
    await settle();
    await b.client.call('skill/delete', { skill: gone?.id ?? '', scope: gone?.scope ?? 'account' });
    await later();
    expect(skills.current?.id).toBe(next?.id);
  });

  it('says why instructions can’t be read, and reads them when asked again', async () => {
    b.core.failing.set('file/read', fail('io', 'the disk is gone'));
    skills.go(1);
    await settle();
    expect(skills.textFailure?.message).toBe('the disk is gone');
    b.core.failing.delete('file/read');
    await skills.look();
    expect(skills.textFailure).toBeNull();
    expect(skills.text).not.toBeUndefined();
  });

  it('says why the skills can’t be read, and keeps what it had', async () => {
    const before = slugs();
    b.core.failing.set('skill/list', fail('busy', 'another program is writing'));
    skills.refresh();
    await settle();
    expect(skills.failure?.message).toBe('another program is writing');
    expect(slugs()).toEqual(before);
  });

  it('hears nothing once it is closed', async () => {
    skills.close();
    const before = b.core.callsOf('skill/list').length;
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', 'x');
    await later();
    expect(b.core.callsOf('skill/list')).toHaveLength(before);
  });
});
