import type { Catalog, Client, SkillKey } from '$lib/api';
import { Document, type DocumentKey } from '../document/document.svelte';
import { sameFile } from '../document/storedFile.svelte';
import type { EditorGroups } from './editorGroups.svelte';

interface Events {
  /** The file was deleted, or is open under its new path too. */
  onObsolete: (document: Document) => void;
  onRename: () => void;
}

/** The documents of the open tabs: one for each file. */
export class OpenDocuments {
  readonly list = $derived.by(() => [...new Set(this.#groups.list.flatMap((group) => group.tabs.documents))]);
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #groups: EditorGroups;
  readonly #events: Events;

  constructor(client: Client, catalog: Catalog, groups: EditorGroups, events: Events) {
    this.#client = client;
    this.#catalog = catalog;
    this.#groups = groups;
    this.#events = events;
    catalog.details.onChange((key, detail) => {
      for (const document of this.list) {
        const { skill } = document.file;
        if (skill.id !== key.id || skill.scope !== key.scope) continue;
        if (detail && document.status === 'failed') void document.load();
        else if (detail) void document.sync.apply(detail);
        else if (document.status === 'ready') this.#deleted(document);
      }
    });
    catalog.drafts.onRead((marks) => {
      for (const { draft, file } of this.list) {
        draft.follow(marks.find(({ scope, skill_id: skillId, path }) => sameFile({ scope, skillId, path }, file.key)));
      }
    });
  }

  get(key: DocumentKey): Document | null {
    return this.list.find((document) => sameFile(document.file.key, key)) ?? null;
  }

  /** The open files of a skill that have unsaved changes. */
  unsaved({ scope, id }: SkillKey): Document[] {
    return this.list.filter(({ content, file }) => content.dirty && file.skill.id === id && file.skill.scope === scope);
  }

  /** The document of a file, which is loaded if it isn’t open. With `followRename`, a renamed file is found by its new path. */
  open(key: DocumentKey, followRename = false): Document {
    return this.get(key) ?? this.#load(key, followRename);
  }

  /** Closes a document without tabs. Returns null if it still has one. For `deleted`, see `Document.close`. */
  release(document: Document, deleted = false): Document | null {
    if (this.list.includes(document)) return null;
    void document.close(deleted).then(() => this.#catalog.drafts.refresh());
    return document;
  }

  #load(key: DocumentKey, followRename: boolean): Document {
    const catalog = this.#catalog;
    const document: Document = new Document(this.#client, key, {
      onSave: ({ skill }) => catalog.details.put(skill),
      onDraftDiscard: () => catalog.drafts.refresh(),
      onRename: () => this.#renamed(document),
    });
    void document.load(followRename).then(() => {
      if (document.file.path !== key.path) this.#renamed(document);
      const detail = catalog.details.get(document.file.skill);
      // Saving the draft of a deleted file is based on the revision without it.
      if (detail && document.conflict.external?.theirs === null) void document.sync.apply(detail);
    });
    void catalog.details.load({ scope: key.scope, id: key.skillId });
    return document;
  }

  #deleted(document: Document): void {
    document.conflict.deleted();
    if (!document.content.dirty) this.#events.onObsolete(document);
  }

  #renamed(document: Document): void {
    const isDuplicate = this.list.some((one) => one !== document && sameFile(one.file.key, document.file.key));
    if (isDuplicate) this.#events.onObsolete(document);
    this.#events.onRename();
  }
}
