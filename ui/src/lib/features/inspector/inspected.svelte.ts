import { untrack } from 'svelte';
import { Debounce } from '$lib/api';
import { type Document, loadedText } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import type { PreviewTarget } from './preview.svelte';

const COUNT_DELAY_MS = 400;

/** The text in front, once it is loaded. */
export function previewed({ tabs }: Pick<Services, 'tabs'>): Document | null {
  return loadedText(tabs.document);
}

/** A document as the preview follows it, under its new path after a rename. */
export function previewTarget(document: Document | null): PreviewTarget | null {
  if (!document) return null;
  const { file, content } = document;
  return {
    scope: file.skill.scope,
    skillId: file.skill.id,
    get path() {
      return file.path;
    },
    get entry() {
      return file.entry;
    },
    get length() {
      return content.buffer.length;
    },
    text: () => content.text(),
  };
}

/** Keeps the preview and the skill info current. Runs use the form of the preview, whichever tab is shown. */
export function followFront(services: Pick<Services, 'catalog' | 'context' | 'info' | 'preview' | 'tabs'>): void {
  const { catalog, info, preview, tabs } = services;
  const document = $derived(previewed(services));
  const skill = $derived(services.context.skill);
  const detail = $derived(skill ? catalog.details.get(skill) : undefined);
  const countTokens = new Debounce(COUNT_DELAY_MS, () => info.refreshTokens());

  $effect(() => {
    const target = document;
    untrack(() => void preview.follow(previewTarget(target)));
  });

  // Each edit only starts the timers.
  $effect(() => {
    void document?.content.edition;
    void document?.content.replacement;
    void document?.file.path;
    untrack(() => {
      preview.touch();
      countTokens.touch();
    });
  });

  $effect(() => {
    const front = skill;
    void detail?.revision;
    untrack(() => {
      if (front && !catalog.details.get(front)) void catalog.details.load(front);
      const key = front ? { scope: front.scope, id: front.id } : null;
      info.follow(key, () => (key ? tabs.documents.unsaved(key).map((one) => ({ path: one.file.path, text: one.content.text() })) : []));
    });
  });
}
