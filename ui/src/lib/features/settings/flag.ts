import type { Services } from '$lib/workbench/services';
import type { Control } from './entry';

/** A switch for the setting `key`, or for its property `part`. */
export function flag({ settings }: Pick<Services, 'settings'>, key: string, label: string, defaultValue: boolean, part?: string): Control {
  const stored = (): unknown => {
    const value = settings.get(key);
    if (part === undefined) return value;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  };
  const store = (on: boolean | null): void => {
    if (part === undefined) {
      settings.set(key, on);
      return;
    }
    const whole = settings.get(key);
    const rest = Object.entries(typeof whole === 'object' && whole !== null ? whole : {}).filter(([name]) => name !== part);
    const all = on === null ? rest : [...rest, [part, on] as const];
    settings.set(key, all.length === 0 ? null : Object.fromEntries(all));
  };
  const on = (): boolean => {
    const value = stored();
    return typeof value === 'boolean' ? value : defaultValue;
  };
  return { kind: 'switch', label, on, turn: (wanted) => store(wanted === defaultValue ? null : wanted), changed: () => on() !== defaultValue, reset: () => store(null) };
}
