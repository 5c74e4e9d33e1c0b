import type { Script } from '$lib/api/generated';

// Completions and hovers for the module `inklings` in scripts. Only imports and dotted names are read, by patterns.

export const MODULE = 'inklings';

/** Names of the module, and imported members by their local name. */
export interface Imports {
  modules: ReadonlySet<string>;
  names: ReadonlyMap<string, string>;
}

export function importsOf(text: string): Imports {
  const modules = new Set([MODULE]);
  const names = new Map<string, string>();
  for (const [, alias = MODULE] of text.matchAll(/^[ \t]*import[ \t]+inklings(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?:#.*)?$/gm)) modules.add(alias);
  for (const [, many, one] of text.matchAll(/^[ \t]*from[ \t]+inklings[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]+))/gm)) {
    for (const part of (many ?? one ?? '').replace(/#.*/g, '').split(',')) {
      const [, name, alias] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
      if (name !== undefined) names.set(alias ?? name, name);
    }
  }
  return { modules, names };
}

/** A member, or a namespace with members, such as `skills` of `skills.list` (`member` is null). */
export interface Offer {
  name: string;
  member: Script.ScriptFunction | null;
}

/** The members of a namespace. `within` is empty for the module itself, else it ends with a dot. */
export function offersBelow(functions: readonly Script.ScriptFunction[], within: string): Offer[] {
  const offers = new Map<string, Offer>();
  for (const member of functions) {
    if (!member.name.startsWith(within)) continue;
    const rest = member.name.slice(within.length);
    const [name = '', ...deeper] = rest.split('.');
    if (deeper.length === 0) offers.set(name, { name, member });
    else if (!offers.has(name)) offers.set(name, { name, member: null });
  }
  return [...offers.values()];
}

/** Completions at the end of `before`, the line up to the cursor. `from` is the start of the current word. */
export function completionsAt(before: string, imports: Imports, functions: readonly Script.ScriptFunction[]): { from: number; offers: Offer[] } | null {
  const imported = /^[ \t]*from[ \t]+inklings[ \t]+import[ \t]+\(?(?:[ \t]*\w+(?:[ \t]+as[ \t]+\w+)?[ \t]*,)*[ \t]*(\w*)$/.exec(before);
  if (imported) return { from: before.length - (imported[1] ?? '').length, offers: offersBelow(functions, '') };
  const [, path = '', word = ''] = /(?:^|[^\w.])((?:[A-Za-z_]\w*\.)+)(\w*)$/.exec(before) ?? [];
  const [root = '', ...inner] = path.split('.');
  const start = imports.modules.has(root) ? '' : imports.names.get(root);
  if (path === '' || start === undefined) return null;
  const within = [start, ...inner].filter((part) => part !== '').map((part) => `${part}.`).join('');
  const offers = offersBelow(functions, within);
  return offers.length === 0 ? null : { from: before.length - word.length, offers };
}

/** The member at an offset of a line, and its range. */
export function memberAt(line: string, at: number, imports: Imports, functions: readonly Script.ScriptFunction[]): { from: number; to: number; member: Script.ScriptFunction } | null {
  for (const found of line.matchAll(/[A-Za-z_][\w.]*/g)) {
    if (at < found.index || at > found.index + found[0].length) continue;
    // Up to the end of the word at the offset: `skills.list` in `inklings.skills.list.x`.
    const end = /^\w*/.exec(line.slice(at))?.[0].length ?? 0;
    const path = line.slice(found.index, at + end).split('.');
    const [root = '', ...rest] = path;
    const imported = imports.names.get(root);
    const name = [...(imported === undefined ? [] : [imported]), ...rest].join('.');
    const isImport = /^[ \t]*from[ \t]+inklings[ \t]+import\b/.test(line);
    const known = imported !== undefined || imports.modules.has(root) ? name : isImport ? path.join('.') : null;
    const member = functions.find((one) => one.name === known);
    return member ? { from: found.index, to: at + end, member } : null;
  }
  return null;
}
