import type { Script } from '$lib/api/generated';

// Reads Python only as far as imports and dotted names go: enough to know when a member of the module is meant.

export const MODULE = 'inklings';

/** What a script calls the module, and which of its members it has under names of their own. */
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

/** A member, or a part of the module that has members: `skills` of `skills.list`. */
export interface Offer {
  name: string;
  member: Script.ScriptFunction | null;
}

/** What may follow `inklings.` and then `within`, which is empty or ends with a dot. */
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

/** What can be completed at the end of a line so far: where the word begins, and what it may be. */
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

/** The member that is named at a place of a line, and the stretch that names it. */
export function memberAt(line: string, at: number, imports: Imports, functions: readonly Script.ScriptFunction[]): { from: number; to: number; member: Script.ScriptFunction } | null {
  for (const found of line.matchAll(/[A-Za-z_][\w.]*/g)) {
    if (at < found.index || at > found.index + found[0].length) continue;
    // The word under the pointer and what it is a part of: `skills.list` in `inklings.skills.list.x`.
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
