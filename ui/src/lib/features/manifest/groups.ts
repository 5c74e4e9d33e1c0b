import { isRecord, type JsonPath, treeOf, type TreeField } from '$lib/domain';
import { textsOf } from './texts';

/** A field and its path in the manifest. */
export interface PlacedField {
  path: JsonPath;
  field: TreeField;
}

export interface Group {
  id: string;
  title: string;
  /** How what is declared here takes effect, or that it doesn't. */
  about: string;
  /** Whether Inklings only shows it and checks its form. */
  isInert: boolean;
  fields: readonly PlacedField[];
  /** The object whose fields these are. */
  owner: JsonPath;
}

type Plan = Pick<Group, 'id' | 'title' | 'about'> & { isInert?: true; paths: JsonPath[]; without?: string };

const PLANS: readonly Plan[] = [
  { id: 'requirements', title: 'Requirements', about: 'Readiness checks whether they are available.', paths: [['requiredTools'], ['requiredToolGroups'], ['requiredIntegrations']] },
  { id: 'forbidden', title: 'Forbidden tools', about: 'Unavailable in chats and runs while the skill is active.', paths: [['forbiddenTools']] },
  { id: 'actions', title: 'Actions', about: 'Started by hand. Other modes are stored but not scheduled here.', paths: [['actions']] },
  { id: 'steps', title: 'Steps', about: 'Declared only: Inklings doesn’t run these steps.', isInert: true, paths: [['deterministicSteps']] },
  { id: 'delegation', title: 'Delegation', about: 'Declared only: Inklings doesn’t delegate to these agents.', isInert: true, paths: [['delegation']] },
  { id: 'gates', title: 'Gates', about: 'A chat or run stops at a gate until you approve it.', paths: [['humanGates']] },
  { id: 'loop', title: 'Goal loop', about: 'Declared only: Inklings doesn’t run this loop.', isInert: true, paths: [['goalLoop', '*']] },
  { id: 'evals', title: 'Evals', about: 'Trigger cases and scenarios are run with the cases of the evals folder.', paths: [['evals', '*']], without: 'optimization' },
  { id: 'optimization', title: 'Optimization', about: 'How candidates are made, compared and promoted.', paths: [['evals', 'optimization', '*']] },
  { id: 'bindings', title: 'Bindings', about: 'Pages and files are reference material. Other relations are edited as JSON.', paths: [['bindings']] },
  { id: 'exposure', title: 'Exposure', about: 'What other systems see of the skill.', paths: [['interop', '*']] },
];

/** Defaults that the schema doesn't have, since an absent value means more than one value there. */
function withDefaults(key: string, field: TreeField): TreeField {
  if (key === 'exposeViaMcp') return { ...field, default: true };
  return key === 'exportFormats' && field.kind === 'several' ? { ...field, default: field.choices } : field;
}

/** The fields of the manifest as the schema of `skill.json` describes them, with our labels. Empty if it doesn't. */
export function manifestFields(skillJson: unknown): TreeField[] {
  const down = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);
  const manifest = ['properties', 'metadata', 'properties', 'manifest'].reduce(down, skillJson);
  const labeled = (field: TreeField, parent: JsonPath): TreeField => {
    const path = field.key === '' ? [...parent, 0] : [...parent, field.key];
    const { label = field.label, help = field.help } = textsOf(path);
    const named = { ...withDefaults(field.key, field), label, help };
    if (named.kind === 'list') return { ...named, item: labeled(named.item, path) };
    return named.kind === 'object' ? { ...named, fields: named.fields.map((one) => labeled(one, path)) } : named;
  };
  return treeOf(manifest).filter(({ key }) => key !== 'version').map((field) => labeled(field, []));
}

/** The fields in groups. Those that no group plans for get their own. */
export function groupsOf(fields: readonly TreeField[]): Group[] {
  const groups = PLANS.map(({ paths, without, isInert = false, ...plan }): Group => {
    const placed = paths.flatMap((path) => placedAt(fields, path)).filter(({ field }) => field.key !== without);
    return { ...plan, isInert, fields: placed, owner: (paths[0] ?? []).slice(0, -1) };
  });
  const planned = new Set(PLANS.flatMap(({ paths }) => paths.map(([key]) => key)));
  const others = fields.filter(({ key }) => !planned.has(key));
  return [...groups, ...others.map((field): Group => ({ id: field.key, title: field.label, about: field.help, isInert: false, fields: [{ path: [field.key], field }], owner: [] }))].filter((group) => group.fields.length > 0);
}

/** The field at a path; with `*` at its end, all fields of the object there. */
function placedAt(fields: readonly TreeField[], path: JsonPath, parent: JsonPath = []): PlacedField[] {
  const [key, ...rest] = path;
  if (key === '*') return fields.map((field) => ({ path: [...parent, field.key], field }));
  const field = fields.find((one) => one.key === key);
  if (!field) return [];
  if (rest.length === 0) return [{ path: [...parent, field.key], field }];
  return field.kind === 'object' ? placedAt(field.fields, rest, [...parent, field.key]) : [];
}
