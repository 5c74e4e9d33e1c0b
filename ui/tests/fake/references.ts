// References of the in-memory core: pages are those that it has, files are the ones that are put here.
import type { OutputOf, ParamsOf, Reference, SkillRef } from '$lib/api/generated';
import type { FakePages } from './pages';
import { fail, type FakeStore, type Handlers, type FakeSkill } from './store';

type ReferenceOperation = Extract<keyof Handlers, `reference/${string}`>;
type Target = Pick<Reference.SkillReference, 'target_kind' | 'target_ref'>;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export class FakeReferences {
  /** Texts of the workspace's files by path; null where a file isn't text. */
  readonly files = new Map<string, string | null>();
  readonly #of = new Map<string, Reference.SkillReference[]>();
  readonly #store: FakeStore;
  readonly #pages: FakePages;
  #ids = 0;

  constructor(store: FakeStore, pages: FakePages) {
    this.#store = store;
    this.#pages = pages;
  }

  handlers(get: (ref: SkillRef) => FakeSkill): Pick<Handlers, ReferenceOperation> {
    return {
      'reference/list': (ref) => this.list(get(ref)),
      'reference/search': (params) => this.search(params),
      'reference/attach': (params) => this.attach(get(params), params),
      'reference/remove': ({ id, ...ref }) => this.remove(get(ref), id),
      'reference/read': ({ id, ...ref }) => this.read(get(ref), id),
    };
  }

  list({ summary }: FakeSkill): OutputOf<'reference/list'> {
    this.#inWorkspace();
    return { references: (this.#of.get(summary.id) ?? []).map((one) => ({ ...one, ...this.#described(one) })) };
  }

  search({ query, limit }: ParamsOf<'reference/search'>): OutputOf<'reference/search'> {
    const [text, most] = [query ?? '', limit ?? 20];
    if (/^https?:\/\//.test(text)) return { offers: [this.#offer({ target_kind: 'document', target_ref: text })], is_partial: false };
    const pages = text === '' ? this.#pages.all : this.#pages.search(text);
    const files = [...this.files.keys()].filter((path) => path.includes(text));
    return {
      offers: [
        ...pages.slice(0, most).map(({ slug }) => this.#offer({ target_kind: 'entity', target_ref: slug })),
        ...files.slice(0, most).map((path) => this.#offer({ target_kind: 'document', target_ref: path })),
      ],
      is_partial: false,
    };
  }

  attach(skill: FakeSkill, { target_kind, target_ref, position, allow_missing }: ParamsOf<'reference/attach'>): Reference.SkillReference {
    this.#inWorkspace();
    const all = this.#of.get(skill.summary.id) ?? [];
    const target = { target_kind, target_ref };
    if (all.some((one) => one.target_ref === target_ref)) throw fail('exists', `${target_ref} is attached to ${skill.summary.slug} already`);
    if (this.#described(target).problem !== null && !allow_missing) throw fail('notFound', `${target_ref} isn’t in this workspace`);
    const at = position ?? (all.at(-1)?.position ?? -1) + 1;
    const created = { id: `reference-${++this.#ids}`, position: at, created_by: 'local', created_at: new Date(this.#store.now).toISOString() };
    const reference = { ...target, ...created, ...this.#described(target) };
    const later = all.map((one) => (one.position >= at ? { ...one, position: one.position + 1 } : one));
    this.#put(skill, [...later, reference].sort((a, b) => a.position - b.position));
    return reference;
  }

  remove(skill: FakeSkill, id: string): OutputOf<'reference/remove'> {
    const removed = this.#find(skill, id);
    this.#put(skill, (this.#of.get(skill.summary.id) ?? []).filter((one) => one.id !== id));
    return removed;
  }

  read(skill: FakeSkill, id: string): OutputOf<'reference/read'> {
    const { target_ref: path } = this.#find(skill, id);
    const text = this.files.get(path);
    if (text === undefined) throw fail('notFound', `${path} isn’t a file in this workspace`);
    return { path, size: text?.length ?? 4, text };
  }

  #find({ summary }: FakeSkill, id: string): Reference.SkillReference {
    const found = this.#of.get(summary.id)?.find((one) => one.id === id);
    if (!found) throw fail('notFound', 'no such reference');
    return found;
  }

  #put({ summary }: FakeSkill, all: Reference.SkillReference[]): void {
    this.#of.set(summary.id, all);
    queueMicrotask(() => this.#store.emit('reference', [summary.id], 'workspace', 'window'));
  }

  #inWorkspace(): void {
    if (this.#store.workspace === null) throw fail('invalid', 'no workspace is open');
  }

  #described({ target_kind, target_ref }: Target): Pick<Reference.SkillReference, 'form' | 'title' | 'problem'> {
    if (target_kind === 'entity') {
      const page = this.#pages.all.find((one) => one.slug === target_ref);
      return { form: 'page', title: page?.title ?? target_ref, problem: page ? null : 'the page isn’t in this workspace' };
    }
    if (target_ref.includes('://')) return { form: 'address', title: new URL(target_ref).host, problem: null };
    return { form: 'file', title: nameOf(target_ref), problem: this.files.has(target_ref) ? null : 'the file isn’t in this workspace' };
  }

  #offer(target: Target): Reference.ReferenceOffer {
    const { form, title } = this.#described(target);
    return { ...target, form, title };
  }
}
