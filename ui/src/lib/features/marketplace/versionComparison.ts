import { Comparison, type CompareRequest } from '$lib/features/editor';
import type { Marketplace, RevisionFile } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'compare' | 'layout' | 'tabs'>;

interface Versions {
  id: string;
  title: string;
  /** Null for the installed version. */
  from: string | null;
  /** Shown for it. */
  fromLabel: string;
  to: string;
}

/** Opens the files that differ between two versions in a tab. */
export function compareVersions({ client, compare, layout, tabs }: Needs, { id, title, from, fromLabel, to }: Versions): void {
  let loading: Promise<Marketplace.VersionComparison> | null = null;
  const load = (): Promise<Marketplace.VersionComparison> => (loading ??= client.call('marketplace/compare', { id, from, to }));
  const note = `${fromLabel} → ${to}`;
  const comparison = new Comparison(compare.options, {
    id: `${id}@${from ?? 'installed'}-${to}`,
    title: `${title} (${note})`,
    named: { name: title, note },
    leftLabel: from === null ? `Installed, ${fromLabel}` : fromLabel,
    rightLabel: to,
    ...sourceOf(load, () => (loading = null)),
  });
  layout.view = 'editor';
  tabs.openComparison(comparison);
  void comparison.load();
}

/** All files come with one call, which is made again after it failed. */
function sourceOf(load: () => Promise<Marketplace.VersionComparison>, forget: () => void): Pick<CompareRequest, 'files' | 'texts'> {
  return {
    files: async () => {
      try {
        const { files } = await load();
        return files.map((file) => ({
          path: file.path,
          change: !file.in_from ? 'added' : !file.in_to ? 'removed' : 'modified',
          text: (!file.in_from || file.from_text !== null) && (!file.in_to || file.to_text !== null),
          mode: false,
          executable: false,
          added: null,
          removed: null,
        }));
      } catch (cause) {
        forget();
        throw cause;
      }
    },
    texts: async (path) => {
      const file = (await load()).files.find((one) => one.path === path);
      return { left: side(file?.from_text ?? null), right: side(file?.to_text ?? null) };
    },
  };
}

const side = (text: string | null): RevisionFile => ({ text, sha256: null, size: text === null ? null : text.length });
