import { isRecord, type JsonPath, plural } from '$lib/domain';
import type { Group, PlacedField } from './groups';
import { nounOf, pluralOf } from './texts';

type Read = (path: JsonPath) => unknown;

const listed = (read: Read, path: JsonPath): number => {
  const value = read(path);
  return Array.isArray(value) ? value.length : 0;
};

/** "2 tools, 1 integration"; empty if nothing is declared. */
export function groupSummary({ fields }: Pick<Group, 'fields'>, read: Read): string {
  const count = ({ path, field }: PlacedField): string => {
    const noun = nounOf(path);
    return field.kind === 'list' && listed(read, path) > 0 ? plural(listed(read, path), noun, pluralOf(noun)) : '';
  };
  const values = fields.filter(({ path, field }) => field.kind !== 'list' && read(path) !== undefined && read(path) !== null).length;
  return [...fields.map(count), values > 0 ? plural(values, 'setting') : ''].filter(Boolean).join(', ');
}

/** The whole manifest in one line. */
export function summaryOf(read: Read): string {
  const parts: [number, string, string?][] = [
    [listed(read, ['requiredTools']), 'required tool'],
    [listed(read, ['requiredToolGroups']), 'required tool group'],
    [listed(read, ['requiredIntegrations']), 'required integration'],
    [listed(read, ['forbiddenTools']), 'forbidden tool'],
    [listed(read, ['actions']), 'action'],
    [listed(read, ['deterministicSteps']), 'step'],
    [listed(read, ['delegation']), 'agent'],
    [listed(read, ['humanGates']), 'gate'],
    [listed(read, ['evals', 'triggerCases']) + listed(read, ['evals', 'functionalScenarios']), 'eval case'],
    [listed(read, ['bindings']), 'binding'],
  ];
  const words = parts.flatMap(([count, noun]) => (count > 0 ? [plural(count, noun)] : []));
  if (isRecord(read(['goalLoop']))) words.push('a goal loop');
  if (read(['interop', 'exposeViaMcp']) === false) words.push('hidden from MCP clients');
  return words.join(', ');
}
