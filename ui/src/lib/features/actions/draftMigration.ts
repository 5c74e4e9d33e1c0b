import type { Catalog, Client, SkillKey } from '$lib/api';
import type { Files } from '$lib/api/generated';

/**
 * Moves the drafts of files that `move` takes from one skill to another. A draft exists in both until the files are moved, so that a crash in
 * between loses none.
 */
export async function withDrafts(client: Client, catalog: Catalog, from: SkillKey, to: SkillKey, files: readonly Files.FileMove[], move: () => Promise<void>): Promise<void> {
  const source = { skill: from.id, scope: from.scope };
  const target = { skill: to.id, scope: to.scope };
  const { drafts } = await client.call('draft/get', source);
  const base = catalog.details.get(to)?.revision ?? 0;
  const moved = files.flatMap((file) => drafts.filter(({ path }) => path === file.from).map((draft) => ({ draft, path: file.to })));
  const copies = await Promise.all(
    moved.map(async ({ draft: { text }, path }) => {
      const { updated_at } = await client.call('draft/save', { ...target, path, base_revision: base, text });
      return { ...target, path, updated_at };
    }),
  );
  let obsolete = copies;
  try {
    await move();
    obsolete = moved.map(({ draft: { path, updated_at } }) => ({ ...source, path, updated_at }));
  } finally {
    await Promise.all(obsolete.map((draft) => client.call('draft/discard', draft)));
    catalog.drafts.refresh();
  }
}
