import type { Named, Names, ScriptFunction, Words } from '$lib/api/generated';
import type { Document, Position } from './document.svelte';

export const SKILL_MD = 'SKILL.md';
export const SKILL_JSON = 'skill.json';

/** What can follow the name of another skill. */
export interface SkillName {
  slug: string;
  name: string;
}

/** What the rest of the window knows about what a text may say and what it names. */
export interface EditorHelp {
  /** What scripts can import. */
  functions(): Promise<readonly ScriptFunction[]>;
  words(): Promise<Words>;
  /** Null: not known now. */
  names(document: Document): Promise<Names | null>;
  /** What is named at a place; null for nothing. */
  at(document: Document, position: Position): Promise<Named | null>;
  skills(): readonly SkillName[];
  /** Goes to what is named at a place. */
  follow(document: Document, position: Position): void;
}

/** The same for one document. */
export interface DocumentHelp {
  path(): string;
  /** What the file is to its skill: a template, a script … */
  kind(): string | null;
  /** The name of the artifact that it is. */
  artifact(): string | null;
  functions(): Promise<readonly ScriptFunction[]>;
  words(): Promise<Words>;
  names(): Promise<Names | null>;
  at(position: Position): Promise<Named | null>;
  skills(): readonly SkillName[];
  follow(position: Position): void;
}

export function helpFor(document: Document, help: EditorHelp): DocumentHelp {
  return {
    path: () => document.path,
    kind: () => document.entry?.artifact?.kind ?? null,
    artifact: () => document.entry?.artifact?.name ?? null,
    functions: () => help.functions(),
    words: () => help.words(),
    names: () => help.names(document),
    at: (position) => help.at(document, position),
    skills: () => help.skills(),
    follow: (position) => help.follow(document, position),
  };
}
