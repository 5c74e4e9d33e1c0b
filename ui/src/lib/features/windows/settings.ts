import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

export function entries(services: Pick<Services, 'windows'>): SettingsEntry[] {
  return [
    { id: 'zoom', section: 'general', order: 20, title: 'Zoom', about: 'Zoom level of all windows.', keywords: 'scale bigger smaller', control: { kind: 'commands', ids: ['view.zoomOut', 'view.zoomIn', 'view.zoomReset'], value: () => `${services.windows.zoom.percent}%` } },
  ];
}
