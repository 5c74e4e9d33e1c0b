import { jsonLanguage } from '@codemirror/lang-json';
import { pythonLanguage } from '@codemirror/lang-python';
import { yamlLanguage } from '@codemirror/lang-yaml';
import type { SyntaxNode } from '@lezer/common';
import { extensionOf } from '$lib/domain';
import { headingsOf, type OutlineItem } from '../headings';
import { blocksOf } from './jinjaBlocks';

// The outline of a file, by its language.

/** More than anyone reads. */
const MAX = 3_000;

/** An item before it is known how deep it lies. */
interface SymbolRange {
  name: string;
  kind: string;
  from: number;
  to: number;
}

/** Gives each item its lines, and its level by what it lies in. */
function placed(text: string, found: readonly SymbolRange[]): OutlineItem[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const open: number[] = [];
  return found.slice(0, MAX).map(({ name, kind, from, to }) => {
    while (open.length > 0 && (open.at(-1) ?? 0) <= from) open.pop();
    open.push(to);
    return { name, kind, line: lineOf(from), endLine: lineOf(Math.max(from, to - 1)), level: open.length };
  });
}

function pythonItems(text: string): SymbolRange[] {
  const found: SymbolRange[] = [];
  pythonLanguage.parser.parse(text).iterate({
    enter: ({ node }) => {
      const named = (kind: string): void => {
        const name = node.getChild('VariableName');
        if (name) found.push({ name: text.slice(name.from, name.to), kind, from: node.from, to: node.to });
      };
      if (node.name === 'FunctionDefinition') named(node.parent?.parent?.name === 'ClassDefinition' ? 'method' : 'function');
      else if (node.name === 'ClassDefinition') named('class');
      // Names of the script and fields of a class; what a function keeps to itself is its own.
      else if (node.name === 'AssignStatement' && (node.parent?.name === 'Script' || node.parent?.parent?.name === 'ClassDefinition')) named('variable');
      return node.name !== 'AssignStatement';
    },
  });
  return found;
}

/** A text in quotes, without them. */
const unquoted = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, '$2');

/** What an object of a list is called: by its name or whatever else tells it from the others. */
function calledJson(node: SyntaxNode, text: string): string | null {
  for (const key of ['name', 'key', 'id', 'path', 'type']) {
    for (const property of node.getChildren('Property')) {
      const [name, value] = [property.firstChild, property.lastChild];
      if (name && value?.name === 'String' && unquoted(text.slice(name.from, name.to)) === key) return unquoted(text.slice(value.from, value.to));
    }
  }
  return null;
}

function jsonItems(text: string): SymbolRange[] {
  const found: SymbolRange[] = [];
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ node }) => {
      if (node.name === 'Property') {
        const name = node.getChild('PropertyName');
        if (name) found.push({ name: unquoted(text.slice(name.from, name.to)), kind: 'key', from: node.from, to: node.to });
      } else if (node.name === 'Object' && node.parent?.name === 'Array') {
        const place = node.parent.getChildren('Object').findIndex((one) => one.from === node.from);
        found.push({ name: calledJson(node, text) ?? `${place + 1}`, kind: 'item', from: node.from, to: node.to });
      }
      return found.length < MAX;
    },
  });
  return found;
}

function yamlItems(text: string): SymbolRange[] {
  const found: SymbolRange[] = [];
  yamlLanguage.parser.parse(text).iterate({
    enter: ({ node }) => {
      const key = node.name === 'Pair' ? node.getChild('Key') : null;
      if (key) found.push({ name: unquoted(text.slice(key.from, key.to)), kind: 'key', from: node.from, to: node.to });
      return found.length < MAX;
    },
  });
  return found;
}

const NAMED_BLOCKS: Record<string, string> = { block: 'block', macro: 'macro', set: 'value', for: 'loop', if: 'condition' };

function jinjaItems(text: string): SymbolRange[] {
  const { tags, blocks } = blocksOf(text);
  const ends = new Map(blocks.map(({ open, close }) => [open.from, close?.to ?? open.to]));
  return tags.flatMap(({ name, rest, from, to }) => {
    const kind = NAMED_BLOCKS[name];
    if (kind === undefined) return [];
    const word = /^[\w., ]+/.exec(rest)?.[0].trim() ?? rest;
    const title = name === 'for' || name === 'if' ? `${name} ${rest}` : name === 'set' ? word.replace(/ .*/, '') : word;
    return [{ name: title.replace(/\s+/g, ' ').slice(0, 120), kind, from, to: ends.get(from) ?? to }];
  });
}

const SHELL_FUNCTION = /^[ \t]*(?:function[ \t]+([\w:.-]+)[ \t]*(?:\(\))?|([\w:.-]+)[ \t]*\(\))[ \t]*\{?/;

function shellItems(text: string): SymbolRange[] {
  const found: SymbolRange[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const name = SHELL_FUNCTION.exec(line);
    if (name) {
      const close = text.indexOf('\n}', at);
      found.push({ name: name[1] ?? name[2] ?? '', kind: 'function', from: at, to: close < 0 ? at + line.length : close + 2 });
    }
    at += line.length + 1;
  }
  return found;
}

/** Headings and blocks together, in the order of the text; their lines say which contains which. */
function templateItems(text: string): OutlineItem[] {
  const blocks = placed(text, jinjaItems(text));
  const all = [...headingsOf(text), ...blocks].sort((a, b) => a.line - b.line || b.endLine - a.endLine);
  const open: OutlineItem[] = [];
  return all.slice(0, MAX).map((item) => {
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < item.line) open.pop();
    const inner = open.at(-1);
    // A heading isn't below a block that only begins before it in the same line.
    const level = inner && inner.endLine >= item.endLine ? open.length + 1 : Math.max(1, open.length);
    open.push(item);
    return { ...item, level };
  });
}

/** What is in a text, in its order. */
export function outlineOf(path: string, source: string): OutlineItem[] {
  // The line count stays, which is all that counts of the ends of lines.
  const text = source.replace(/\r\n/g, '\n');
  switch (extensionOf(path)) {
    case 'md':
    case 'markdown':
      return headingsOf(text);
    case 'j2':
    case 'jinja':
    case 'jinja2':
      return templateItems(text);
    case 'py':
      return placed(text, pythonItems(text));
    case 'json':
      return placed(text, jsonItems(text));
    case 'yaml':
    case 'yml':
      return placed(text, yamlItems(text));
    case 'sh':
    case 'bash':
    case 'zsh':
      return placed(text, shellItems(text));
    default:
      return [];
  }
}
