import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, Direction, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Letters of right-to-left scripts: Hebrew, Arabic, adjacent blocks and presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;
/** An expression or statement of a template, which is isolated and left to right even in right-to-left text. */
const TAG = /\{\{.*?\}\}|\{%.*?%\}/g;

// Only lines with such letters get `dir=auto`; other lines are rendered without attributes.
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
    #decorations: ReturnType<typeof build>;

    constructor(view: EditorView) {
      this.#decorations = build(view);
    }

    get lines(): DecorationSet {
      return this.#decorations.lines;
    }

    get tags(): DecorationSet {
      return this.#decorations.tags;
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.#decorations = build(view);
    }
  },
  {
    provide: (viewPlugin) => {
      const tags = (view: EditorView): DecorationSet => view.plugin(viewPlugin)?.tags ?? Decoration.none;
      return [
        EditorView.decorations.of((view) => view.plugin(viewPlugin)?.lines ?? Decoration.none),
        EditorView.decorations.of(tags),
        EditorView.bidiIsolatedRanges.of(tags),
      ];
    },
  },
);

/** The direction of a line is that of its first letter with a strong direction. */
export const directions: Extension = [EditorView.perLineTextDirection.of(true), plugin, EditorView.baseTheme({ '.cm-isolated': { unicodeBidi: 'isolate', direction: 'ltr' } })];
