import { describe, expect, it } from 'vitest';
import type { Publish } from '$lib/api/generated';
import { bumpReason, plannedRow } from './plannedRow';
import { renewalOf } from './renewal';

const DIAGNOSTIC = { severity: 'warning' as const, message: 'm', hint: null, file: null, line: null, column: null, end_line: null, end_column: null, pointer: null };

function planned(more: Partial<Publish.PlannedSkill> = {}): Publish.PlannedSkill {
  return {
    slug: 'one', title: 'One', id: 'skill-1', scope: 'account', path: null, state: 'update', version: '1.0.0', next_version: '2.0.0', last: { version: '1.0.0', published_at: '2026-03-01T00:00:00.000Z', sha256: 'a' }, bump: 'major',
    required_version: '2.0.0', reasons: ['removes the artifact draft'], files: [], permissions: [], permissions_gained: [], permissions_lost: [], changelog: '- Removes the artifact draft.\n', diagnostics: [], ...more,
  };
}

it('a version that is typed must be a semantic one', () => {
  const problem = (version: string): string | null => plannedRow(planned(), { version }).problem;
  for (const version of ['0.0.0', '1.2.3', '1.0.0-beta.1', '1.0.0+build.7', '1.0.0-x-y.0a+1', ' 2.0.0 ']) expect([version, problem(version)]).toEqual([version, null]);
  for (const version of ['1', '1.2', '01.2.3', '1.2.3.4', 'v1.2.3', '1.0.0-01', '1.0.0-', '=1.0.0']) expect([version, problem(version)]).toEqual([version, `“${version}” isn’t a semantic version. Use a version such as 1.2.0.`]);
  expect([problem(''), problem('1.0.0')]).toEqual(['Enter a version.', '1.0.0 was published before. Use a higher version.']);
});

it('a version that is typed is compared by precedence', () => {
  const warning = (version: string, more: Partial<Publish.PlannedSkill> = {}): string | null => plannedRow(planned(more), { version }).warning;
  expect(warning('0.10.0')).toBe('0.10.0 is lower than 1.0.0, which is published.');
  expect(warning('1.0.0-rc.1')).toBe('1.0.0-rc.1 is lower than 1.0.0, which is published.');
  expect(warning('1.10.0')).toBe('1.10.0 looks compatible, but it removes the artifact draft. Use 2.0.0.');
  expect(warning('2.0.0-rc.1')).toBe('2.0.0-rc.1 looks compatible, but it removes the artifact draft. Use 2.0.0.');
  expect(warning('1.1.0', { last: { version: '99999999999999999999.0.0', published_at: '2026-03-01T00:00:00.000Z', sha256: 'a' }, required_version: '99999999999999999999.0.1' })).toBeNull();
  expect([warning('2.0.1'), warning('10.0.0'), warning('1.0.1', { required_version: null }), warning('0.1.0', { last: null })]).toEqual([null, null, null, null]);
});

describe('a planned skill', () => {
  it('has the proposals until something else is typed', () => {
    expect(plannedRow(planned(), {})).toMatchObject({ id: 'account:skill-1', version: '2.0.0', changelog: '- Removes the artifact draft.\n', problem: null, warning: null });
    expect(plannedRow(planned(), { version: '2.1.0', changelog: '' })).toMatchObject({ version: '2.1.0', changelog: '', problem: null, warning: null });
  });

  it('shows the plan’s remark on the version only for the proposed one', () => {
    const skill = planned({ next_version: '1.1.0', diagnostics: [{ ...DIAGNOSTIC, rule: 'release/compatibility' }, { ...DIAGNOSTIC, rule: 'x/y' }, { ...DIAGNOSTIC, rule: 'x/z', severity: 'error' }] });
    expect(plannedRow(skill, {}).others.map(({ rule }) => rule)).toEqual(['release/compatibility', 'x/y']);
    const edited = plannedRow(skill, { version: '1.0.1' });
    expect([edited.others.map(({ rule }) => rule), edited.errors.map(({ rule }) => rule), edited.warning]).toEqual([['x/y'], ['x/z'], '1.0.1 looks compatible, but it removes the artifact draft. Use 2.0.0.']);
  });

  it('that isn’t published has no problem with its version', () => {
    expect(plannedRow(planned({ state: 'blocked', next_version: null, version: 'x' }), {}).problem).toBeNull();
    expect(plannedRow(planned({ state: 'unchanged', next_version: '1.0.0' }), {}).problem).toBeNull();
  });

  it('says why the version is as high', () => {
    expect(bumpReason(planned({ reasons: ['removes the artifact draft', 'adds the file run.sh'] }))).toBe('Major release: Removes the artifact draft. Adds the file run.sh.');
    expect(bumpReason(planned({ bump: 'patch', reasons: [] }))).toBe('Patch release: Only texts changed.');
    expect(bumpReason(planned({ bump: null }))).toBeNull();
  });
});

it('signatures are renewed in time, the worst first', () => {
  const status = { expires: '2026-04-01T00:00:00.000Z', expired: false, refresh_due: false, root_expires: '2027-03-01T00:00:00.000Z', root_expired: false, root_refresh_due: false } as Publish.PublishStatus;
  const about = (more: Partial<Publish.PublishStatus>): unknown => {
    const renewal = renewalOf({ ...status, ...more });
    return renewal && [renewal.tone, renewal.text.split('. ')[0]];
  };
  expect(about({})).toBeNull();
  expect(about({ refresh_due: true })).toEqual(['warn', 'The signatures expire on Apr 1, 2026']);
  expect(about({ refresh_due: true, root_refresh_due: true })).toEqual(['warn', 'The list of keys expires on Mar 1, 2027']);
  expect(about({ refresh_due: true, root_refresh_due: true, expired: true })).toEqual(['error', 'The signatures expired on Apr 1, 2026']);
  expect(about({ expired: true, root_expired: true })).toEqual(['error', 'The list of keys expired on Mar 1, 2027']);
});
