// Registries in folders, their keys, and the skills that are published in them.
import type { ComparedFile, Diagnostic, Publish, SkillRef } from '$lib/api/generated';
import { createHash } from './sha256';
import { fail, type FakeSkill, type FakeStore, type PublishHandlers } from './store';

interface SkillAccess {
  get: (ref: SkillRef) => FakeSkill;
  commit: (skill: FakeSkill, files: FakeSkill['files'], why: string) => void;
  diagnostics: (skill: FakeSkill) => Diagnostic[];
  isCanceled: () => boolean;
}

interface Version {
  version: string;
  publishedAt: string;
  files: Readonly<Record<string, string>>;
  permissions: readonly string[];
}

interface FakeRegistry {
  id: string;
  title: string;
  publisher: string;
  /** The folder with its keys. */
  keys: string;
  serial: number;
  expires: number;
  rootExpires: number;
  /** By slug, the newest last. */
  skills: Map<string, Version[]>;
}

const DAY_MS = 86_400_000;
const HOME = '/home/ada/.inklings';
const CHANGELOG = 'CHANGELOG.md';

export class FakePublishing {
  /** By folder. */
  readonly registries = new Map<string, FakeRegistry>();
  /** Folders that aren't empty. */
  readonly occupied = new Set(['/home/ada/notes']);
  /** Folders with keys, and the registry that they sign. */
  readonly keys = new Map<string, string>();
  /** By slug. */
  readonly permissions = new Map<string, string[]>();
  /** Whether the registry can't be written, which is noticed after the versions were written to the skills. */
  isDiskFull = false;
  readonly #store: FakeStore;
  readonly #skills: SkillAccess;

  constructor(store: FakeStore, skills: SkillAccess) {
    this.#store = store;
    this.#skills = skills;
  }

  readonly handlers: PublishHandlers = {
    'publish/create': ({ target, id, title, publisher }) => {
      ensureAbsolute(target.folder);
      if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(id)) throw fail('invalid', `"${id}" isn't a registry ID`, { hint: 'use a domain of yours, such as skills.example.org' });
      if (this.registries.has(target.folder) || this.occupied.has(target.folder)) throw fail('exists', `${target.folder} isn't empty`, { hint: 'choose another folder' });
      const keys = target.keys ?? `${HOME}/registry-keys/${id}`;
      const created = !this.keys.has(keys);
      this.keys.set(keys, id);
      const registry: FakeRegistry = { id, title, publisher: publisher ?? title, keys, serial: 1, expires: this.#expiry(target), rootExpires: this.#store.now + 365 * DAY_MS, skills: new Map() };
      this.registries.set(target.folder, registry);
      return {
        folder: target.folder, id, title, fingerprint: createHash(id), expires: time(registry.expires), root_expires: time(registry.rootExpires),
        keys: { folder: keys, root: `${keys}/root.key`, snapshot: `${keys}/snapshot.key`, publisher: `${keys}/publisher.key`, created },
      };
    },
    'publish/status': ({ folder }) => {
      const one = this.#registry(folder);
      const { now } = this.#store;
      return {
        folder, id: one.id, title: one.title, fingerprint: createHash(one.id), serial: one.serial, expires: time(one.expires), expired: one.expires <= now,
        refresh_due: one.expires <= now + 15 * DAY_MS, root_expires: time(one.rootExpires), root_expired: one.rootExpires <= now, root_refresh_due: one.rootExpires <= now + 182 * DAY_MS,
        publishers: [{ name: one.publisher, key: `ed25519:${createHash(one.publisher)}` }], skills: one.skills.size,
        versions: [...one.skills.values()].reduce((sum, versions) => sum + versions.length, 0), yanked: 0, revoked: 0, distrusted: 0,
      };
    },
    'publish/refresh': ({ target }) => {
      const one = this.#signed(target);
      const before = one.serial;
      if (one.expires <= this.#store.now + 15 * DAY_MS) [one.expires, one.serial] = [this.#expiry(target), one.serial + 1];
      return { serial: one.serial, expires: time(one.expires), root_version: 1, root_expires: time(one.rootExpires), changed: one.serial !== before };
    },
    'publish/plan': ({ folder, skills = [] }) => {
      const one = this.#registry(folder);
      if (skills.length === 0) throw fail('invalid', 'no skills were given', { hint: 'choose at least one skill or folder' });
      const planned = skills.map((ref) => this.#plan(one, this.#skills.get(ref))).sort((a, b) => (a.slug < b.slug ? -1 : 1));
      const twice = planned.find(({ slug }, index) => planned[index + 1]?.slug === slug);
      if (twice) throw fail('exists', `two skills are named ${twice.slug}`, { hint: 'rename one' });
      return { registry: one.id, skills: planned, diagnostics: [], ok: planned.every(({ state }) => state !== 'blocked') };
    },
    'publish/release': (params) => this.#release(params),
  };

  // For tests

  addRegistry(folder: string, id = 'skills.example.org', more: Partial<FakeRegistry> = {}): FakeRegistry {
    const keys = `${HOME}/registry-keys/${id}`;
    const registry: FakeRegistry = { id, title: 'Example skills', publisher: 'Ada Books', keys, serial: 1, expires: this.#store.now + 30 * DAY_MS, rootExpires: this.#store.now + 365 * DAY_MS, skills: new Map(), ...more };
    this.keys.set(registry.keys, id);
    this.registries.set(folder, registry);
    return registry;
  }

  #registry(folder: string): FakeRegistry {
    ensureAbsolute(folder);
    const found = this.registries.get(folder);
    if (!found) throw fail('notFound', `${folder} isn't a registry`, { hint: 'initialize it first' });
    return found;
  }

  /** With its keys. */
  #signed(target: Publish.PublishTarget): FakeRegistry {
    this.#expiry(target);
    const one = this.#registry(target.folder);
    const keys = target.keys ?? `${HOME}/registry-keys/${one.id}`;
    if (!this.keys.has(keys)) throw fail('notFound', `can't access the key file ${keys}/snapshot.key: No such file or directory (os error 2)`, { hint: "choose the folder with the registry's keys" });
    if (keys !== one.keys) throw fail('forbidden', '0 of 1 needed snapshot keys were given; give the others, too', { hint: 'choose the folder with the keys of this registry' });
    return one;
  }

  #expiry({ days }: Publish.PublishTarget): number {
    const count = days ?? 30;
    if (count < 1 || count > 365) throw fail('invalid', `a registry can't be valid for ${count} days`, { hint: 'use 1 to 365 days' });
    return this.#store.now + count * DAY_MS;
  }

  #plan(registry: FakeRegistry, skill: FakeSkill): Publish.PlannedSkill {
    const { summary } = skill;
    const versions = registry.skills.get(summary.slug) ?? [];
    const last = versions.at(-1);
    const diagnostics = this.#skills.diagnostics(skill);
    const permissions = this.permissions.get(summary.slug) ?? [];
    const now = textsOf(skill);
    const row: Publish.PlannedSkill = {
      slug: summary.slug, title: summary.name, id: summary.id, scope: summary.scope, path: null, state: last ? 'update' : 'new', version: summary.version, next_version: summary.version,
      last: last ? { version: last.version, published_at: last.publishedAt, sha256: createHash(JSON.stringify(last.files)) } : null, bump: null, required_version: null, reasons: [], files: [], permissions,
      permissions_gained: [], permissions_lost: [], changelog: '', diagnostics,
    };
    if (diagnostics.some(({ severity }) => severity === 'error')) return { ...row, state: 'blocked', next_version: null, last: null, permissions: [] };
    if (!last) return row;
    if (last.version === summary.version && JSON.stringify(last.files) === JSON.stringify(now)) return { ...row, state: 'unchanged' };
    row.permissions_gained = permissions.filter((one) => !last.permissions.includes(one));
    row.permissions_lost = last.permissions.filter((one) => !permissions.includes(one));
    row.files = differences(last.files, now);
    row.reasons = [
      ...row.permissions_gained.map((one) => `requires the permission ${one}`),
      ...row.permissions_lost.map((one) => `no longer requires the permission ${one}`),
      ...row.files.filter(({ path, change }) => change !== 'modified' && path !== CHANGELOG).map(({ path, change }) => `${change === 'added' ? 'adds' : 'removes'} the file ${path}`),
    ];
    row.bump = row.permissions_gained.length + row.permissions_lost.length > 0 ? 'major' : row.reasons.length > 0 ? 'minor' : 'patch';
    row.required_version = increased(last.version, row.bump);
    const changed = row.files.filter(({ path, change }) => change === 'modified' && path !== CHANGELOG).map(({ path }) => `changes ${path}`);
    row.changelog = [...row.reasons, ...changed].map((line) => `- ${line.charAt(0).toUpperCase()}${line.slice(1)}.\n`).join('');
    if (versions.some(({ version }) => version === summary.version)) row.next_version = row.required_version;
    return row;
  }

  /** Publishes all or nothing. */
  #release({ target, skills = [] }: Publish.ReleaseParams): Publish.ReleaseReport {
    const registry = this.#signed(target);
    const all = skills.map((one) => ({ one, skill: this.#skills.get(one) })).map((found) => ({ ...found, row: this.#plan(registry, found.skill) }));
    const blocked = all.filter(({ row }) => row.state === 'blocked');
    if (blocked.length > 0) {
      const diagnostics = blocked.flatMap(({ row }) => row.diagnostics.filter(({ severity }) => severity === 'error').map((one) => ({ ...one, file: one.file === null ? row.slug : `${row.slug}/${one.file}` })));
      throw fail('invalid', `${blocked.length} of ${all.length} skills can't be published`, { hint: 'fix the errors, then try again; nothing was published', fields: { diagnostics } });
    }
    for (const { one, row } of all) {
      if (one.version != null && !/^\d+\.\d+\.\d+/.test(one.version)) throw fail('invalid', `"${one.version}" isn't a semantic version`, { hint: 'use a version such as 1.2.0' });
      if ((registry.skills.get(row.slug) ?? []).some(({ version }) => version === one.version)) {
        throw fail('exists', `${row.slug} ${one.version ?? ''} was published with other content`, { hint: 'increase its version' });
      }
    }
    if (this.#skills.isCanceled()) throw fail('cancelled', 'cancelled before anything was published');
    const written = all.filter(({ one, row }) => row.state !== 'unchanged' || one.version != null).map(({ one, skill, row }) => {
      const version = one.version ?? row.next_version ?? row.version;
      const files = new Map(skill.files);
      if (one.changelog != null) files.set(CHANGELOG, { text: `# Changelog\n\n## ${version}\n\n${one.changelog.trim()}\n` });
      skill.summary.version = version;
      this.#skills.commit(skill, files, `released ${version}`);
      return { skill, row, version };
    });
    if (this.isDiskFull) throw fail('io', "can't access index: No space left on device (os error 28)", { hint: "check the disk and the permissions; what is published wasn't changed" });
    const released = written.map(({ skill, row, version }) => {
      const known = registry.skills.get(row.slug) ?? [];
      registry.skills.set(row.slug, [...known, { version, publishedAt: time(this.#store.now), files: textsOf(skill), permissions: row.permissions }]);
      return { slug: row.slug, version, revision: skill.summary.revision };
    });
    if (released.length > 0) [registry.serial, registry.expires] = [registry.serial + 1, this.#expiry(target)];
    return { registry: registry.id, released, unchanged: all.length - released.length, serial: registry.serial };
  }
}

const time = (at: number): string => new Date(at).toISOString();
const textsOf = ({ files }: FakeSkill): Record<string, string> => Object.fromEntries([...files].map(([path, { text, bytes }]): [string, string] => [path, text ?? `binary ${bytes ?? 0}`]).sort(([a], [b]) => (a < b ? -1 : 1)));

function ensureAbsolute(path: string): void {
  if (!path.startsWith('/')) throw fail('invalid', `${path} isn't an absolute path`, { hint: 'use an absolute path' });
}

function differences(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): ComparedFile[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().filter((path) => before[path] !== after[path]);
  const linesOf = (text: string | undefined): string[] => text?.split('\n') ?? [];
  return paths.map((path): ComparedFile => {
    const [old, now] = [linesOf(before[path]), linesOf(after[path])];
    const change = !(path in before) ? 'added' : path in after ? 'modified' : 'removed';
    return { path, change, text: true, mode: false, executable: false, added: now.filter((line) => !old.includes(line)).length, removed: old.filter((line) => !now.includes(line)).length };
  });
}

function increased(version: string, bump: Publish.VersionBump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  return bump === 'minor' && major > 0 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
