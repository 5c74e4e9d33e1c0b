import type { Publish } from '$lib/api/generated';

const NUMBER = '(0|[1-9]\\d*)';
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`);

interface Version {
  numbers: readonly [major: number, minor: number, patch: number];
  /** Empty for a release. */
  prerelease: readonly string[];
}

/** Null for a text that isn’t a semantic version. */
function parse(text: string): Version | null {
  const match = VERSION.exec(text);
  if (!match) return null;
  const [, major, minor, patch, prerelease] = match;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease: prerelease?.split('.') ?? [] };
}

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Negative if `one` is lower. Texts that aren’t versions are equal to all. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b) return 0;
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  // A prerelease comes before its release.
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [a, b] = [one[index], other[index]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumber && isOtherNumber) return Number(a) - Number(b);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}

/** The lowest version after `last` that doesn’t look more compatible than the changes are. As the core’s, which follows Cargo before 1.0.0. */
export function requiredVersion(last: string, bump: Publish.VersionBump): string {
  const version = parse(last);
  if (!version) return last;
  const [major, minor, patch] = version.numbers;
  if (version.prerelease.length > 0) return `${major}.${minor}.${patch}`;
  if (bump === 'major') return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  return bump === 'minor' && major > 0 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
