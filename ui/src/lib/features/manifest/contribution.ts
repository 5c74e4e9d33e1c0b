import type { Contribution } from '$lib/workbench/contribution';
import { manifestCommands } from './commands';
import { ManifestController } from './manifestController.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:manifestReference': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly manifest: ManifestController;
  }
}

export const manifest: Contribution = {
  id: 'manifest',
  customEditors: [{ id: 'manifest', label: 'Manifest', opensAsText: true, matches: ({ file }) => file.entry?.role === 'manifest', load: () => import('./ManifestDocument.svelte') }],
  overlays: [{ id: 'manifestReference', isOpen: ({ manifest, overlays }) => overlays.current === 'manifestReference' && manifest.active !== null, load: () => import('./AttachOverlay.svelte') }],
  skillSections: [{ id: 'readiness', label: 'Readiness', load: () => import('./SkillReadiness.svelte') }],
  guidePages: [{ id: 'manifest', order: 65, load: () => import('./guide/manifest.md?raw') }],
  services: { manifest: (services) => new ManifestController(services) },
  commands: manifestCommands,
};
