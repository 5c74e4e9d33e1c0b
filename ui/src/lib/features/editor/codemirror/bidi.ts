import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, Direction, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours, with their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;
/** A value or statement of a template, which is read from left to right wherever it stands. */
const TAG = /\{\{.*?\}\}|\{%.*?%\}/g;

// Only lines that have such letters are asked for their direction: a line is otherwise drawn as ever.
const auto = Decoration.line({ attributes: { dir: 'auto' } });
const isolated = Decoration.mark({ class: 'cm-isolated', bidiIsolate: Direction.LTR });

function build(view: EditorView): { lines: DecorationSet; tags: DecorationSet } {
  const lines = new RangeSetBuilder<Decoration>();
  const tags = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.from > last && RIGHT_TO_LEFT.test(line.text)) {
        lines.add(line.from, line.from, auto);
        for (const tag of line.text.matchAll(TAG)) tags.add(line.from + tag.index, line.from + tag.index + tag[0].length, isolated);
      }
      last = line.from;
      at = line.to + 1;
    }
  }
  return { lines: lines.finish(), tags: tags.finish() };
}

const plugin = ViewPlugin.fromClass(
  class {
    #made: ReturnType<typeof build>;

    constructor(view: EditorView) {
      this.#made = build(view);
    }

    get lines(): DecorationSet {
      return this.#made.lines;
    }

    get tags(): DecorationSet {
      return this.#made.tags;
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.#made = build(view);
    }
  },
  {
    provide: (made) => {
      const tags = (view: EditorView): DecorationSet => view.plugin(made)?.tags ?? Decoration.none;
      return [
        EditorView.decorations.of((view) => view.plugin(made)?.lines ?? Decoration.none),
        EditorView.decorations.of(tags),
        EditorView.bidiIsolatedRanges.of(tags),
      ];
    },
  },
);

/** Each line has the direction of its first letter that has one. */
export const directions: Extension = [EditorView.perLineTextDirection.of(true), plugin, EditorView.baseTheme({ '.cm-isolated': { unicodeBidi: 'isolate', direction: 'ltr' } })];
