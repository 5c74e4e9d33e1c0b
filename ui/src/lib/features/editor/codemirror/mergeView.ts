import { type Change, type Chunk, diff, getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorSelection, EditorState, type Extension, Text } from '@codemirror/state';
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
  /** Wraps long lines in every language. */
  wrap: boolean;
  /** Shows one text with the removed lines in it, instead of two side by side. */
  inline?: boolean;
  /** Folds unchanged lines. [default: true] */
  collapse?: boolean;
  /** Ignores trailing whitespace and the amount of whitespace between words. */
  ignoreSpaces?: boolean;
  /** Additional extensions of the right side. */
  extra?: Extension;
  /** Called after edits of the right side. */
  onedit?: (text: string) => void;
}

type DiffConfig = NonNullable<Parameters<typeof diff>[2]>;
const DIFF: DiffConfig = { scanLimit: 2_000, timeout: 200 };

/** Two texts side by side, or one text with its changes inline. */
export class MergePanes {
  readonly #merge: MergeView | null;
  readonly #view: EditorView;

  static async open(parent: HTMLElement, options: MergeOptions): Promise<MergePanes> {
    const language = languageOf(options.path);
    return new MergePanes(parent, options, await language.load());
  }

  private constructor(parent: HTMLElement, options: MergeOptions, language: Extension) {
    const look = languageOf(options.path);
    const common = (lineBreak: string, label: string): Extension => [
      reading(look, lineBreak),
      language,
      options.wrap ? EditorView.lineWrapping : [],
      EditorView.contentAttributes.of({ 'aria-label': label, ...(options.editable ? {} : { tabindex: '0' }) }),
    ];
    const fixed = EditorState.readOnly.of(true);
    const [leftBreak, rightBreak] = [lineBreakOf(options.left), lineBreakOf(options.right)];
    const left = Text.of(options.left.split(leftBreak));
    const right = {
      doc: Text.of(options.right.split(rightBreak)),
      extensions: [common(rightBreak, options.rightLabel), options.editable ? editing(rightBreak) : fixed, options.extra ?? [], onEdit(options.onedit)],
    };
    const shared = {
      highlightChanges: true,
      gutter: true,
      ...(options.collapse === false ? {} : { collapseUnchanged: { margin: 3, minSize: 6 } }),
      diffConfig: options.ignoreSpaces ? { override: withoutSpaces } : DIFF,
    };
    if (options.inline) {
      this.#merge = null;
      const unified = unifiedMergeView({ original: left, mergeControls: false, ...shared });
      this.#view = new EditorView({ parent, state: EditorState.create({ ...right, extensions: [right.extensions, unified] }) });
      return;
    }
    this.#merge = new MergeView({
      parent,
      a: { doc: left, extensions: [common(leftBreak, options.leftLabel), fixed] },
      b: right,
      ...(options.editable ? { revertControls: 'a-to-b' as const } : {}),
      ...shared,
    });
    this.#view = this.#merge.b;
  }

  /** The editor of the right side. */
  get view(): EditorView {
    return this.#view;
  }

  /** The text of the right side. */
  text(): string {
    return this.#view.state.sliceDoc();
  }

  /** Replaces the text on the left. Edits on the right stay. */
  setLeft(text: string): void {
    const view = this.#merge?.a;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: Text.of(text.split(lineBreakOf(text))) } });
  }

  focus(): void {
    this.#view.focus();
  }

  get changes(): number {
    return this.#chunks.length;
  }

  /** Goes to the next change or the one before; false when there is none in that direction. */
  step(by: 1 | -1): boolean {
    const { head } = this.#view.state.selection.main;
    const chunks = this.#chunks;
    const next = by > 0 ? chunks.find((one) => one.fromB > head) : chunks.findLast((one) => one.fromB < head && one.endB < head);
    if (!next) return false;
    this.#show(next);
    return true;
  }

  /** To the first change, or the last. */
  start(at: 'first' | 'last' = 'first'): void {
    const chunk = at === 'first' ? this.#chunks[0] : this.#chunks.at(-1);
    if (chunk) this.#show(chunk);
  }

  destroy(): void {
    if (this.#merge) this.#merge.destroy();
    else this.#view.destroy();
  }

  get #chunks(): readonly Chunk[] {
    return this.#merge?.chunks ?? getChunks(this.#view.state)?.chunks ?? [];
  }

  #show(chunk: Chunk): void {
    const at = Math.min(chunk.fromB, this.#view.state.doc.length);
    const end = Math.min(chunk.endB, this.#view.state.doc.length);
    this.#view.dispatch({
      selection: EditorSelection.cursor(at),
      effects: EditorView.scrollIntoView(EditorSelection.range(end, at), { y: 'center' }),
    });
  }
}

function onEdit(listener: MergeOptions['onedit']): Extension {
  if (!listener) return [];
  return EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) listener(state.sliceDoc());
  });
}

const SPACES = /^[^\S\n]*$/;

/** The changes that aren't only of blanks. Line breaks stay changes, so that lines keep facing each other. */
export function withoutSpaces(a: string, b: string): readonly Change[] {
  return diff(a, b, DIFF).filter(({ fromA, toA, fromB, toB }) => {
    const [removed, added] = [a.slice(fromA, toA), b.slice(fromB, toB)];
    if (!SPACES.test(removed) || !SPACES.test(added)) return true;
    // Where blanks part words on one side only, the words changed.
    return !(edge(a, fromA, toA) || edge(b, fromB, toB) || (parted(a, fromA, toA) && parted(b, fromB, toB)));
  });
}

const blank = (text: string, at: number): boolean => at < 0 || at >= text.length || /\s/.test(text.charAt(at));
/** At the begin or the end of a line. */
const edge = (text: string, from: number, to: number): boolean =>
  from === 0 || to === text.length || text.charAt(from - 1) === '\n' || text.charAt(to) === '\n';
/** Whether there is a blank between what is before and after. */
const parted = (text: string, from: number, to: number): boolean => to > from || blank(text, from - 1) || blank(text, to);
