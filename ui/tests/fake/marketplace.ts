// Registries, their skills, and updates of copies in memory.
import type { Failure, Fork, Marketplace, Registry } from '$lib/api/generated';
import type { FakeProposals } from './proposals';
import type { SeedFile } from './seed';
import { createHash } from './sha256';
import { fail, type FakeSkill, type FakeStore, type Handlers } from './store';

type MarketplaceOperations = Pick<Handlers, Extract<keyof Handlers, `registry/${string}` | `marketplace/${string}` | `fork/${string}`>>;

interface SkillAccess {
  get: (skill: string) => FakeSkill;
  commit: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => void;
}

interface Version {
  version: string;
  files: Record<string, string>;
  permissions: string[];
  yanked: string | null;
  revoked: string | null;
}

interface Offer {
  registry: string;
  slug: string;
  title: string;
  description: string;
  category: string;
  dependsOn: string[];
  /** Newest first. */
  versions: Version[];
}

interface Installed {
  id: string;
  version: string;
  pinned: boolean;
  /** Newest last. */
  earlier: { version: string; files: Map<string, SeedFile> }[];
}

const PUBLISHER = { name: 'Ada Books', key: `ed25519:${'ab12cd34'.repeat(8)}` };
export const FINGERPRINT = '0123456789abcdef'.repeat(4);

export class FakeMarketplace {
  registries: Registry.RegistryInfo[] = [];
  readonly offers: Offer[] = [];
  /** By id of the skill. */
  readonly installed = new Map<string, Installed>();
  forks: Fork.OutdatedFork[] = [];
  /** What a merge of each copy does, by its id: the merged files, and those with conflicts. */
  readonly merges = new Map<string, { files: Record<string, string>; conflicts: Record<string, string> }>();
  /** Whether lines that both changed become a proposal. */
  proposesConflicts = true;
  /** Registries that don't answer, or answer with a failure. */
  readonly unreachable = new Map<string, { failure: Pick<Failure, 'code' | 'message' | 'hint'>; isOffline: boolean }>();
  readonly #store: FakeStore;
  readonly #skills: SkillAccess;
  readonly #proposals: FakeProposals;

  constructor(store: FakeStore, proposals: FakeProposals, skills: SkillAccess) {
    this.#store = store;
    this.#proposals = proposals;
    this.#skills = skills;
  }

  readonly handlers: MarketplaceOperations = {
    'registry/list': () => this.registries,
    'registry/inspect': ({ address }) => {
      const id = idOf(address);
      return { id, title: titleOf(id), address, fingerprint: FINGERPRINT, is_known: this.registries.some((one) => one.id === id) };
    },
    'registry/add': ({ address, fingerprint, mirrors, priority }) => {
      if (fingerprint !== FINGERPRINT) throw fail('invalid', 'the fingerprint is another one', { hint: 'ask the owner of the registry' });
      return this.addRegistry(idOf(address), { address, mirrors: mirrors ?? [], priority: priority ?? 0, synced_at: this.#now() });
    },
    'registry/change': ({ registry, address, mirrors, priority, enabled, updates_built_in }) => {
      const found = this.#registry(registry);
      if (address != null) found.address = address;
      if (mirrors != null) found.mirrors = mirrors;
      if (priority != null) found.priority = priority;
      if (enabled != null) found.enabled = enabled;
      if (updates_built_in != null) found.updates_built_in = updates_built_in;
      return found;
    },
    'registry/remove': ({ registry }) => {
      this.#registry(registry);
      this.registries = this.registries.filter((one) => one.id !== registry);
      return {};
    },
    'registry/sync': ({ registry }) => ({ registries: this.registries.filter((one) => (registry == null ? one.enabled : one.id === registry)).map((one) => this.#sync(one)), updated: [], waiting: [] }),
    'marketplace/search': (params) => this.#search(params),
    'marketplace/get': ({ id, version }) => this.#detail(id, version ?? null),
    'marketplace/package': ({ id, version }) => {
      const { offer, line } = this.#line(id, version ?? null);
      const files = Object.entries(line.files).map(([path, text]) => ({ path, size: text.length, executable: path.endsWith('.sh'), text }));
      return { id: keyOf(offer), version: line.version, readme: line.files['README.md'] ?? line.files['SKILL.md'] ?? '', files };
    },
    'marketplace/compare': (params) => this.#compare(params),
    'marketplace/install': (params) => this.#install(params),
    'marketplace/installed': () => this.#list(),
    'marketplace/update': ({ skills, accept }) => {
      const all = this.#list().skills.filter((one) => one.update !== null);
      const wanted = skills == null ? all.filter((one) => one.update?.waits === null) : all.filter((one) => skills.includes(one.skill) || skills.includes(one.slug));
      return { updated: wanted.map((one) => this.#install({ id: one.id, accept: accept ?? [] })), failed: [] };
    },
    'marketplace/pin': ({ skill, pinned }) => {
      this.#installedOf(skill).pinned = pinned;
      return this.#status(skill);
    },
    'marketplace/rollback': ({ skill }) => {
      const found = this.#installedOf(skill);
      const before = found.earlier.pop();
      const { summary } = this.#skills.get(skill);
      if (!before) throw fail('notFound', `${summary.slug} has no earlier version in its history`, { hint: 'install one of its versions' });
      const replaced = found.version;
      this.#skills.commit(this.#skills.get(skill), before.files, 'rolled back');
      [found.version, found.pinned, summary.version] = [before.version, true, before.version];
      return { skill, slug: summary.slug, version: before.version, replaced, missing: [] };
    },
    'fork/list': () => ({ forks: this.forks }),
    'fork/update': ({ skill }) => this.#merge(skill),
  };

  // For tests

  addRegistry(id: string, more: Partial<Registry.RegistryInfo> = {}): Registry.RegistryInfo {
    const registry: Registry.RegistryInfo = {
      id, title: titleOf(id), address: `https://${id}`, mirrors: [], fingerprint: FINGERPRINT, priority: 0, enabled: true, updates_built_in: false, added_at: this.#now(), synced_at: null,
      tried_at: null, failure: null, is_offline: false, serial: null, expires_at: null, skills: 0, publishers: [PUBLISHER.name], ...more,
    };
    this.registries.push(registry);
    return registry;
  }

  /** Offers a version of a skill, which is newer than those before. */
  publish(registry: string, slug: string, version: string, files: Record<string, string>, more: Partial<Pick<Version, 'permissions' | 'yanked' | 'revoked'> & Omit<Offer, 'registry' | 'slug' | 'versions'>> = {}): Version {
    let offer = this.offers.find((one) => one.registry === registry && one.slug === slug);
    if (!offer) {
      const title = slug.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
      offer = { registry, slug, title: more.title ?? title, description: more.description ?? `Does ${slug}.`, category: more.category ?? 'general', dependsOn: more.dependsOn ?? [], versions: [] };
      this.offers.push(offer);
    }
    const line = { version, files, permissions: more.permissions ?? [], yanked: more.yanked ?? null, revoked: more.revoked ?? null };
    offer.versions.unshift(line);
    for (const one of this.registries) one.skills = this.offers.filter((other) => other.registry === one.id).length;
    return line;
  }

  #now(): string {
    return new Date(this.#store.now).toISOString();
  }

  #registry(id: string): Registry.RegistryInfo {
    const found = this.registries.find((one) => one.id === id);
    if (!found) throw fail('notFound', `no registry ${id}`);
    return found;
  }

  #sync(registry: Registry.RegistryInfo): Registry.RegistryOutcome {
    const problem = this.unreachable.get(registry.id);
    registry.tried_at = this.#now();
    registry.failure = problem?.failure ?? null;
    registry.is_offline = problem?.isOffline ?? false;
    if (!problem) registry.synced_at = this.#now();
    return { id: registry.id, changed: !problem, fetched: problem ? 0 : 1, failure: registry.failure, is_offline: registry.is_offline };
  }

  get #known(): Offer[] {
    return this.offers.filter((offer) => this.registries.some((one) => one.id === offer.registry && one.enabled && one.synced_at !== null));
  }

  #find(id: string): Offer {
    const found = this.#known.find((one) => keyOf(one) === id || one.slug === id);
    if (!found) throw fail('notFound', `no registry has a skill "${id}"`, { hint: 'sync the registries, or search for a word of its description' });
    return found;
  }

  #line(id: string, version: string | null): { offer: Offer; line: Version } {
    const offer = this.#find(id);
    const line = version === null ? latest(offer) : offer.versions.find((one) => one.version === version);
    if (!line) throw fail('notFound', `${offer.slug} has no version "${version ?? ''}"`, { hint: 'choose one of its versions' });
    return { offer, line };
  }

  #present(offer: Offer): { skill: string; installed: Installed } | null {
    for (const [skill, installed] of this.installed) if (installed.id === keyOf(offer) && this.#exists(skill)) return { skill, installed };
    return null;
  }

  #exists(skill: string): boolean {
    return this.#store.skills.some(({ summary, deleted }) => summary.id === skill && !deleted);
  }

  #summary(offer: Offer): Marketplace.MarketplaceSkill {
    const line = latest(offer) ?? offer.versions[0];
    if (!line) throw fail('notFound', 'no version');
    const present = this.#present(offer);
    const newest = latest(offer)?.version ?? null;
    return {
      id: keyOf(offer), slug: offer.slug, title: offer.title, description: offer.description, category: offer.category, tags: [], author: null, publisher: PUBLISHER.name, version: line.version,
      published_at: this.#now(), permissions: line.permissions, token_cost: Math.ceil((line.files['SKILL.md'] ?? '').length / 4), length: 2048, available: newest !== null, hidden_by: null,
      installed: present && { skill: present.skill, version: present.installed.version, pinned: present.installed.pinned, update: newest === present.installed.version ? null : newest },
    };
  }

  #search({ query, category, registry, offset, limit }: Marketplace.SearchMarketplaceParams): Marketplace.MarketplacePage {
    const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#known.filter((one) => (registry == null || one.registry === registry) && words.every((word) => `${one.title} ${one.description}`.toLowerCase().includes(word)));
    const categories: Record<string, number> = {};
    for (const one of found) categories[one.category] = (categories[one.category] ?? 0) + 1;
    const shown = found.filter((one) => category == null || one.category === category).sort((one, other) => one.title.localeCompare(other.title));
    return { skills: shown.slice(offset ?? 0, (offset ?? 0) + (limit ?? 50)).map((one) => this.#summary(one)), total: shown.length, categories };
  }

  #detail(id: string, version: string | null): Marketplace.MarketplaceDetail {
    const offer = this.#find(id);
    const line = version === null ? (latest(offer) ?? offer.versions[0]) : this.#line(id, version).line;
    if (!line) throw fail('notFound', 'no version');
    const present = this.#present(offer);
    const other = present ? undefined : this.#store.skills.find(({ summary, deleted }) => !deleted && summary.scope === 'account' && summary.slug === offer.slug);
    return {
      ...this.#summary(offer),
      version: line.version,
      permissions: line.permissions,
      registry_title: this.#registry(offer.registry).title,
      publisher_key: PUBLISHER.key,
      sha256: createHash(JSON.stringify(line.files)),
      files: Object.keys(line.files).length,
      versions: offer.versions.map((one) => ({
        version: one.version, published_at: this.#now(), publisher: PUBLISHER.name, permissions: one.permissions, token_cost: 10, length: 2048, yanked: one.yanked, revoked: one.revoked, needs_app: null,
        installed: present?.installed.version === one.version,
      })),
      dependencies: offer.dependsOn.map((slug) => {
        const needed = this.#known.find((one) => one.slug === slug);
        return { slug, installed: this.#store.skills.some(({ summary, deleted }) => !deleted && summary.slug === slug), id: needed ? keyOf(needed) : null };
      }),
      new_permissions: this.#missing(offer, line, []),
      conflict: other ? { skill: other.summary.id, title: other.summary.name } : null,
    };
  }

  #missing(offer: Offer, line: Version, accept: readonly string[]): string[] {
    const installed = this.#present(offer)?.installed;
    const granted = offer.versions.find((one) => one.version === installed?.version)?.permissions ?? [];
    return line.permissions.filter((one) => !granted.includes(one) && !accept.includes(one));
  }

  #compare({ id, from, to }: Marketplace.CompareVersionsParams): Marketplace.VersionComparison {
    const after = this.#line(id, to).line;
    const before = this.#line(id, from ?? this.#present(this.#find(id))?.installed.version ?? null).line;
    const paths = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])].sort().filter((path) => before.files[path] !== after.files[path]);
    const files = paths.map((path) => ({ path, in_from: path in before.files, in_to: path in after.files, from_text: before.files[path] ?? null, to_text: after.files[path] ?? null }));
    const added = after.permissions.filter((one) => !before.permissions.includes(one));
    return { from: before.version, to, files, added_permissions: added, removed_permissions: before.permissions.filter((one) => !after.permissions.includes(one)) };
  }

  #install({ id, version, accept }: Marketplace.InstallSkillParams): Marketplace.SkillInstallation {
    const { offer, line } = this.#line(id, version ?? null);
    const missing = this.#missing(offer, line, accept ?? []);
    if (missing.length > 0) throw fail('approvalRequired', `${offer.slug} ${line.version} needs permissions: ${missing.join(', ')}`, { fields: { permissions: missing } });
    const files = Object.fromEntries(Object.entries(line.files).map(([path, text]): [string, SeedFile] => [path, path === 'SKILL.md' ? { text, role: 'main', kind: 'description', name: 'Overview' } : { text }]));
    const present = this.#present(offer);
    const needs = offer.dependsOn.filter((slug) => !this.#store.skills.some(({ summary, deleted }) => !deleted && summary.slug === slug));
    const isOlder = latest(offer)?.version !== line.version;
    if (present) {
      const skill = this.#skills.get(present.skill);
      present.installed.earlier.push({ version: present.installed.version, files: new Map(skill.files) });
      const replaced = present.installed.version;
      this.#skills.commit(skill, new Map(Object.entries(files)), `updated to ${line.version}`);
      [present.installed.version, present.installed.pinned, skill.summary.version] = [line.version, isOlder, line.version];
      return { skill: present.skill, slug: offer.slug, version: line.version, replaced, missing: needs };
    }
    if (this.#store.skills.some(({ summary, deleted }) => !deleted && summary.scope === 'account' && summary.slug === offer.slug)) {
      throw fail('exists', `you have another skill named ${offer.slug}`, { hint: 'rename or delete yours first' });
    }
    const { summary } = this.#store.add({ scope: 'account', slug: offer.slug, name: offer.title, description: offer.description, source: 'community', files });
    summary.version = line.version;
    this.installed.set(summary.id, { id: keyOf(offer), version: line.version, pinned: isOlder, earlier: [] });
    return { skill: summary.id, slug: offer.slug, version: line.version, replaced: null, missing: needs };
  }

  #installedOf(skill: string): Installed {
    const found = this.installed.get(skill);
    if (!found) throw fail('invalid', `${skill} wasn't installed from a registry`, { hint: 'choose a skill of a registry' });
    return found;
  }

  #status(skill: string): Marketplace.InstalledMarketplaceSkill {
    const { id, version, pinned } = this.#installedOf(skill);
    const { summary } = this.#skills.get(skill);
    const offer = this.#known.find((one) => keyOf(one) === id);
    const line = offer?.versions.find((one) => one.version === version);
    const newest = offer && latest(offer);
    const gained = offer && newest ? this.#missing(offer, newest, []) : [];
    const update = newest && newest.version !== version ? { version: newest.version, waits: pinned ? ('pinned' as const) : gained.length > 0 ? ('permissions' as const) : null, new_permissions: gained } : null;
    const status = !offer ? 'unknown' : line?.revoked != null ? 'revoked' : line?.yanked != null ? 'yanked' : update ? 'update' : 'current';
    return { skill, slug: summary.slug, title: summary.name, id, version, pinned, status, reason: line?.revoked ?? line?.yanked ?? null, update };
  }

  #list(): Marketplace.InstalledSkills {
    const skills = [...this.installed.keys()].filter((skill) => this.#exists(skill)).map((skill) => this.#status(skill));
    return { skills, updates: skills.filter((one) => one.update !== null).length, revoked: skills.filter((one) => one.status === 'revoked').length };
  }

  #merge(id: string): Fork.ForkUpdate {
    const fork = this.forks.find((one) => one.skill === id || one.slug === id);
    const merge = this.merges.get(fork?.skill ?? id);
    if (!fork || !merge) throw fail('notFound', `${id} has no update`);
    const skill = this.#skills.get(fork.skill);
    const updated = Object.keys(merge.files);
    if (updated.length > 0) this.#skills.commit(skill, new Map([...skill.files, ...Object.entries(merge.files).map(([path, text]): [string, SeedFile] => [path, { ...skill.files.get(path), text }])]), `merged with ${fork.parent_slug} ${fork.version}`);
    const conflicts = Object.keys(merge.conflicts);
    const proposal = conflicts.length === 0 || !this.proposesConflicts ? null : this.#proposals.compose(merge.conflicts, fork.slug, { title: `Merge ${fork.parent_slug} ${fork.version}` });
    this.forks = conflicts.length === 0 ? this.forks.filter((one) => one !== fork) : this.forks.map((one) => (one === fork ? { ...one, proposal: proposal?.id ?? null } : one));
    return { skill: fork.skill, scope: fork.scope, slug: fork.slug, revision: updated.length > 0 ? skill.summary.revision : null, updated, proposal: proposal?.id ?? null, conflicts, kept: [] };
  }
}

const keyOf = ({ registry, slug }: Pick<Offer, 'registry' | 'slug'>): string => `${registry}/${slug}`;
const idOf = (address: string): string => address.replace(/^[a-z]+:\/\//, '').replace(/\/.*$/, '');
const titleOf = (id: string): string => `Skills of ${id}`;
const latest = ({ versions }: Offer): Version | undefined => versions.find((one) => one.yanked === null && one.revoked === null);
