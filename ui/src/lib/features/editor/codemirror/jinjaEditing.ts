import { foldService } from '@codemirror/language';
import { type EditorState, type Extension } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { blocksIn, familyAt } from './jinjaBlocks';

// Folding and matching of a template's blocks, and folding of the sections of its prose.

/** The longest template whose blocks are looked for with every change. */
const LONGEST = 1_000_000;

const HEADING = /^(#{1,6})\s/;

function blockFold(state: EditorState, from: number, to: number): { from: number; to: number } | null {
  for (const { open, close } of blocksIn(state.doc).blocks) {
    if (open.from > to) break;
    if (open.to < from || open.to > to || !close) continue;
    // What closes it stays in sight, in its own line.
    const end = state.doc.lineAt(close.from);
    const last = end.from > to ? end.from - 1 : close.from;
    if (last > to) return { from: to, to: last };
  }
  return null;
}

/** A heading with all below it, up to the next one that isn't deeper. */
function sectionFold(state: EditorState, from: number, to: number): { from: number; to: number } | null {
  const depth = HEADING.exec(state.sliceDoc(from, Math.min(to, from + 8)))?.[1]?.length;
  if (depth === undefined) return null;
  let last = to;
  for (let number = state.doc.lineAt(from).number + 1; number <= state.doc.lines; number += 1) {
    const line = state.doc.line(number);
    const other = HEADING.exec(line.text)?.[1]?.length;
    if (other !== undefined && other <= depth) break;
    if (line.text.trim() !== '') last = line.to;
  }
  return last > to ? { from: to, to: last } : null;
}

const folding = foldService.of((state, from, to) => {
  if (state.doc.length > LONGEST) return null;
  return blockFold(state, from, to) ?? sectionFold(state, from, to);
});

const marks = { whole: Decoration.mark({ class: 'cm-matchingBracket' }), broken: Decoration.mark({ class: 'cm-nonmatchingBracket' }) };

function matching({ state }: EditorView): DecorationSet {
  const { main } = state.selection;
  if (!main.empty || state.doc.length > LONGEST) return Decoration.none;
  const family = familyAt(blocksIn(state.doc), main.head);
  if (!family) return Decoration.none;
  return Decoration.set(family.tags.map((tag) => (family.whole ? marks.whole : marks.broken).range(tag.from, tag.to)), true);
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

export const jinjaEditing: Extension = [folding, matches];
