import type { Script, Symbols } from '$lib/api/generated';
import type { Document, Position } from './document/document.svelte';

export const SKILL_MD = 'SKILL.md';
export const SKILL_JSON = 'skill.json';

export interface SkillName {
  slug: string;
  name: string;
}

/** Completion and navigation for texts, provided by other features. */
export interface EditorHelp {
  functions(): Promise<readonly Script.ScriptFunction[]>;
  language(): Promise<Symbols.LanguageData>;
  /** Null: not available now. */
  names(document: Document): Promise<Symbols.Names | null>;
  /** The symbol at a position; null if there is none. */
  at(document: Document, position: Position): Promise<Symbols.SymbolInformation | null>;
  skills(): readonly SkillName[];
  /** Goes to the definition of the symbol at a position. */
  follow(document: Document, position: Position): void;
}

/** The same for one document. */
export interface DocumentHelp {
  path(): string;
  /** The role of the file in its skill. */
  kind(): string | null;
  /** The name of the artifact that it is. */
  artifact(): string | null;
  functions(): Promise<readonly Script.ScriptFunction[]>;
  language(): Promise<Symbols.LanguageData>;
  names(): Promise<Symbols.Names | null>;
  at(position: Position): Promise<Symbols.SymbolInformation | null>;
  skills(): readonly SkillName[];
  follow(position: Position): void;
}

export function helpFor(document: Document, help: EditorHelp): DocumentHelp {
  return {
    path: () => document.file.path,
    kind: () => document.file.entry?.artifact?.kind ?? null,
    artifact: () => document.file.entry?.artifact?.name ?? null,
    functions: () => help.functions(),
    language: () => help.language(),
    names: () => help.names(document),
    at: (position) => help.at(document, position),
    skills: () => help.skills(),
    follow: (position) => help.follow(document, position),
  };
}
