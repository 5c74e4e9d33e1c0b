import { isExecutable } from '$lib/domain';
import { type DocumentKey, type FileView, openView } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import { playgroundKey } from './columns';
import { Playground } from './playground.svelte';

type Needs = Pick<
  Services,
  'client' | 'clipboard' | 'documents' | 'feed' | 'files' | 'gateApproval' | 'layout' | 'models' | 'pages' | 'settings' | 'tabs' | 'toasts' | 'workspace'
>;

/** Results of that many closed playgrounds are shown again when they are opened. */
const MAX_PLAYGROUNDS = 20;

/** Opens playgrounds and keeps their results until the window closes. */
export class PlaygroundController {
  readonly #services: Needs;
  readonly #view: FileView;
  readonly #playgrounds = new Map<string, Playground>();

  constructor(services: Needs, view: FileView) {
    this.#services = services;
    this.#view = view;
  }

  /** The artifact that a playground can be opened for: that of the active file. SKILL.md answers a message. */
  get candidate(): DocumentKey | null {
    const document = this.#services.tabs.document;
    const entry = document?.file.entry;
    const kind = entry?.artifact?.kind;
    const answers = kind === 'description' && entry?.role === 'main';
    return document && kind !== undefined && (answers || isExecutable(kind)) ? document.file.key : null;
  }

  /** The playground of the active tab. */
  get active(): Playground | null {
    const { active } = this.#services.tabs;
    return this.#services.layout.view === 'editor' && active?.kind === 'view' && active.view.id === this.#view.id ? this.of(active.target) : null;
  }

  /** Opens the playground of the active file, or from a playground its file. */
  toggle(): void {
    const { active } = this;
    if (active) this.openFile(active.target);
    else if (this.candidate) this.open(this.candidate);
  }

  open(target: DocumentKey): void {
    this.#services.layout.view = 'editor';
    openView(this.#services.tabs, this.#view, target);
  }

  openFile({ scope, skillId, path }: DocumentKey, line?: number): void {
    this.#services.files.open({ scope, id: skillId }, path, line === undefined ? {} : { at: { line, column: 1 } });
  }

  of(target: DocumentKey): Playground {
    const key = playgroundKey(target);
    const known = this.#playgrounds.get(key);
    if (known) return known;
    const { client, feed, gateApproval, models, settings, documents, workspace } = this.#services;
    const playground = new Playground(target, {
      client, feed, models, settings,
      save: (one, paths) => documents.saveForRun(one, paths),
      trust: () => workspace.trust.ask('Trust and run'),
      approve: gateApproval.ask,
    });
    this.#playgrounds.set(key, playground);
    for (const [old, one] of this.#playgrounds) if (this.#playgrounds.size > MAX_PLAYGROUNDS && !one.columns.running && one !== playground) this.#playgrounds.delete(old);
    return playground;
  }

  /** Follows a link of an output: to a page of the workspace, or copies a web address. */
  async follow(target: string): Promise<void> {
    const { client, clipboard, pages, toasts, workspace } = this.#services;
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
      void clipboard.copy(target, 'the address');
      return;
    }
    const name = target.replace(/#.*$/s, '').replace(/\.md$/i, '').trim().toLowerCase();
    const found = workspace.current === null ? null : await client.call('page/search', { query: name, limit: 20 }).catch(() => null);
    const page = found?.hits.find((hit) => hit.title.toLowerCase() === name || hit.slug === name || hit.slug.endsWith(`/${name}`));
    if (page) await pages.open(page.slug);
    else toasts.show(`Page ${target} not found.`, { tone: 'warn' });
  }

  /** Stores the values that were typed into forms. */
  async keep(): Promise<void> {
    await Promise.all([...this.#playgrounds.values()].map(({ planForm }) => planForm.form.flush()));
  }

  reset(): void {
    this.#playgrounds.clear();
  }
}
