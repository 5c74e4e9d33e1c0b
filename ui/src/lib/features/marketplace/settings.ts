import { NumberSetting } from '$lib/domain';
import { flag, type SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

const SETTING = 'marketplace';
const PART = 'sync_hours';
const MAX_HOURS = 8_760;
const DEFAULT_HOURS = 6;

const recordOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});

export function entries(services: Pick<Services, 'settings'>): SettingsEntry[] {
  const { settings } = services;
  const hours = new NumberSetting(settings, {
    key: SETTING,
    fields: { [PART]: { label: 'Hours between syncs', unit: 'hours', help: 'How often registries are synced while the app is open. 0 turns it off.', scale: 1, defaultValue: DEFAULT_HOURS, min: 0, max: MAX_HOURS } },
    read: (value, defaults) => {
      const stored = recordOf(value)[PART];
      return { [PART]: typeof stored === 'number' ? stored : defaults[PART] };
    },
    write: (values, defaults) => {
      const rest = Object.fromEntries(Object.entries(recordOf(settings.get(SETTING))).filter(([name]) => name !== PART));
      const all = values[PART] === defaults[PART] ? rest : { ...rest, [PART]: values[PART] };
      return Object.keys(all).length === 0 ? null : all;
    },
  });
  return [
    { id: 'registries', section: 'marketplace', title: 'Registries', about: 'Where skills are installed from.', keywords: 'marketplace add remove sync mirror priority fingerprint trust', control: { kind: 'part' } },
    { id: 'syncOnLaunch', section: 'marketplace', title: 'Sync at launch', about: 'Looks for new skills and updates when the app starts.', keywords: 'registry start update', control: flag(services, SETTING, 'Sync registries when the app starts', true, 'sync_on_launch') },
    { id: 'syncHours', section: 'marketplace', title: 'Hours between syncs', about: 'How often registries are synced while the app is open.', keywords: 'registry interval period', control: { kind: 'number', setting: hours, name: PART, testid: 'sync-hours' } },
    {
      id: 'updateAutomatically', section: 'marketplace', title: 'Automatic updates', about: 'Installs updates that need no new permissions after each sync. Pinned skills keep their version.', keywords: 'registry skills install upgrade',
      control: flag(services, SETTING, 'Update installed skills automatically', true, 'update_automatically'),
    },
  ];
}
