import { foldService } from '@codemirror/language';
import { type ChangeSet, type EditorState, type Extension, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type Blocks, blocksOf, relatedTagsAt, mapBlocks } from './jinjaBlocks';

// Folding and matching of a template's blocks, and folding of the sections of its prose.

/** Blocks of longer templates aren’t parsed with every change. */
const LONGEST = 1_000_000;

const HEADING = /^(#{1,6})\s/;

const NONE: Blocks = { tags: [], blocks: [], stray: [] };
const readBlocks = (doc: Text): Blocks => (doc.length > LONGEST ? NONE : blocksOf(doc.toString()));

/** How far before a change the statement that it is in may begin. */
const REACH = 10_000;

function inStatement(doc: Text, at: number): boolean {
  const lead = doc.sliceString(Math.max(0, at - REACH), at);
  return lead.lastIndexOf('{%') > lead.lastIndexOf('%}');
}

/** Whether a change can't have made or broken a statement: what is typed into prose only moves those behind it. */
function isProse(before: Text, after: Text, changes: ChangeSet): boolean {
  let prose = true;
  changes.iterChanges((fromA, toA, fromB, toB) => {
    // One letter more on both sides: it may be the other half of a delimiter.
    const touched = before.sliceString(Math.max(0, fromA - 1), toA + 1) + after.sliceString(Math.max(0, fromB - 1), toB + 1);
    if (/[{}%#]/.test(touched) || inStatement(before, fromA) || inStatement(after, fromB)) prose = false;
  });
  return prose;
}

/** The blocks of the text, read again only when a statement may have changed: that takes time in a long template. */
export const blocks = StateField.define<Blocks>({
  create: ({ doc }) => readBlocks(doc),
  update: (value, { docChanged, changes, startState, newDoc }) => {
    if (!docChanged) return value;
    const known = newDoc.length <= LONGEST && startState.doc.length <= LONGEST;
    return known && isProse(startState.doc, newDoc, changes) ? mapBlocks(value, (at) => changes.mapPos(at)) : readBlocks(newDoc);
  },
});

function blockFold(state: EditorState, from: number, to: number): { from: number; to: number } | null {
  for (const { open, close } of state.field(blocks).blocks) {
    if (open.from > to) break;
    if (open.to < from || open.to > to || !close) continue;
    // The closing statement stays visible in its own line.
    const end = state.doc.lineAt(close.from);
    const last = end.from > to ? end.from - 1 : close.from;
    if (last > to) return { from: to, to: last };
  }
  return null;
}

/** Folds a heading with everything up to the next one that isn’t deeper. */
function sectionFold(state: EditorState, from: number, to: number): { from: number; to: number } | null {
  const depth = HEADING.exec(state.sliceDoc(from, Math.min(to, from + 8)))?.[1]?.length;
  if (depth === undefined) return null;
  let [last, at] = [to, to + 1];
  for (const line of state.doc.iterLines(state.doc.lineAt(from).number + 1)) {
    const other = HEADING.exec(line)?.[1]?.length;
    if (other !== undefined && other <= depth) break;
    if (line.trim() !== '') last = at + line.length;
    at += line.length + 1;
  }
  return last > to ? { from: to, to: last } : null;
}

const folding = foldService.of((state, from, to) => {
  if (state.doc.length > LONGEST) return null;
  return blockFold(state, from, to) ?? sectionFold(state, from, to);
});

const marks = { closed: Decoration.mark({ class: 'cm-matchingBracket' }), broken: Decoration.mark({ class: 'cm-nonmatchingBracket' }) };

function matching({ state }: EditorView): DecorationSet {
  const { main } = state.selection;
  if (!main.empty || state.doc.length > LONGEST) return Decoration.none;
  const related = relatedTagsAt(state.field(blocks), main.head);
  if (!related) return Decoration.none;
  return Decoration.set(related.tags.map((tag) => (related.closed ? marks.closed : marks.broken).range(tag.from, tag.to)), true);
}

const matches = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = matching(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.selectionSet) this.decorations = matching(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export const jinjaEditing: Extension = [blocks, folding, matches];
