import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editing, reading } from './extensions';
import { languageOf } from './languages';
import { lineBreakOf } from './positions';

export interface MergeOptions {
  path: string;
  left: string;
  right: string;
  leftLabel: string;
  rightLabel: string;
  /** The right side can be edited, and chunks of the left taken over. */
  editable: boolean;
  /** Long lines go on in the next one, whatever the language. */
  wrap: boolean;
}

/** Two texts side by side. */
export class MergePanes {
  readonly #merge: MergeView;
  readonly #break: string;

  static async open(parent: HTMLElement, options: MergeOptions): Promise<MergePanes> {
    const language = languageOf(options.path);
    return new MergePanes(parent, options, await language.load());
  }

  private constructor(parent: HTMLElement, options: MergeOptions, language: Extension) {
    const look = languageOf(options.path);
    this.#break = lineBreakOf(options.right);
    const common = (lineBreak: string, label: string): Extension => [
      reading(look, lineBreak),
      language,
      options.wrap ? EditorView.lineWrapping : [],
      EditorView.contentAttributes.of({ 'aria-label': label }),
    ];
    const fixed = EditorState.readOnly.of(true);
    const leftBreak = lineBreakOf(options.left);
    this.#merge = new MergeView({
      parent,
      a: {
        doc: Text.of(options.left.split(leftBreak)),
        extensions: [common(leftBreak, options.leftLabel), fixed],
      },
      b: {
        doc: Text.of(options.right.split(this.#break)),
        extensions: [common(this.#break, options.rightLabel), options.editable ? editing(this.#break) : fixed],
      },
      ...(options.editable ? { revertControls: 'a-to-b' as const } : {}),
      highlightChanges: true,
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 2_000, timeout: 200 },
    });
  }

  /** The text of the right side. */
  text(): string {
    return this.#merge.b.state.sliceDoc();
  }

  focus(): void {
    this.#merge.b.focus();
  }

  get changes(): number {
    return this.#merge.chunks.length;
  }

  destroy(): void {
    this.#merge.destroy();
  }
}
