import { invertedEffects } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Extension, type Range, StateEffect, StateField, Text, type Transaction, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { MergeResult, Versions } from '../merge';

export type Choice = 'ours' | 'theirs' | 'both' | 'base';

export const CHOICES: readonly { id: Choice; label: string }[] = [
  { id: 'ours', label: 'Ours' },
  { id: 'theirs', label: 'Theirs' },
  { id: 'both', label: 'Both' },
  { id: 'base', label: 'Base' },
];

/** A conflict in the result. */
export interface Slot {
  /** Whole lines with their ends. */
  from: number;
  to: number;
  versions: Versions;
  /** Nothing follows it: its last line has no end. */
  last: boolean;
  /** Null until it is resolved. */
  choice: Choice | 'edited' | null;
}

/** A text with its conflicts. */
export interface Begin {
  text: string;
  slots: readonly Slot[];
}

const choose = StateEffect.define<{ index: number; choice: Choice; from: number; to: number }>();
const restore = StateEffect.define<readonly Slot[]>();

/** The initial text of a merge, with our lines where there is a conflict. */
export function beginOf({ pieces, lineBreak }: MergeResult): Begin {
  const lines: string[] = [];
  const slots: Slot[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const own = piece.kind === 'settled' ? piece.lines : piece.ours;
    const length = own.reduce((sum, line) => sum + line.length + 1, 0);
    if (piece.kind === 'conflict') slots.push({ from: at, to: at + length, versions: piece, last: index === pieces.length - 1, choice: null });
    lines.push(...own);
    at += length;
  }
  const end = Math.max(0, at - 1);
  for (const slot of slots) [slot.from, slot.to] = [Math.min(slot.from, end), Math.min(slot.to, end)];
  return { text: lines.join(lineBreak), slots };
}

interface ConflictState {
  slots: readonly Slot[];
  marks: DecorationSet;
}

/** Marks conflicts, with buttons that resolve them. Undo also reverts a choice. */
export class Conflicts {
  readonly extension: Extension;
  readonly #field: StateField<ConflictState>;

  constructor({ slots }: Begin, changed: (slots: readonly Slot[], state: EditorState) => void) {
    const marked = (list: readonly Slot[], doc: Text): ConflictState => ({ slots: list, marks: decorate(doc, list, (view, index, choice) => this.choose(view, index, choice)) });
    const field = StateField.define<ConflictState>({
      create: ({ doc }) => marked(slots, doc),
      update: (before, transaction) => {
        const after = update(before.slots, transaction);
        return after === before.slots ? before : marked(after, transaction.newDoc);
      },
      provide: (own) => EditorView.decorations.from(own, ({ marks }) => marks),
    });
    this.#field = field;
    this.extension = [
      field,
      invertedEffects.of((transaction) => {
        const [before, after] = [transaction.startState.field(field).slots, transaction.state.field(field).slots];
        return before.some((slot, index) => slot.choice !== after[index]?.choice) ? [restore.of(before)] : [];
      }),
      EditorView.updateListener.of(({ state, startState, selectionSet }) => {
        if (selectionSet || state.field(field) !== startState.field(field)) changed(state.field(field).slots, state);
      }),
    ];
  }

  slots({ state }: { state: EditorState }): readonly Slot[] {
    return state.field(this.#field).slots;
  }

  choose(view: EditorView, index: number, choice: Choice): void {
    view.dispatch(this.chosen(view.state, index, choice));
    view.focus();
  }

  /** The change of the text that a choice makes. */
  chosen(state: EditorState, index: number, choice: Choice): TransactionSpec {
    const slot = state.field(this.#field).slots[index];
    if (!slot) return {};
    const { ours, theirs, base } = slot.versions;
    const lines = choice === 'ours' ? ours : choice === 'theirs' ? theirs : choice === 'base' ? base : [...ours, ...theirs];
    let { from } = slot;
    let insert = lines.map((line) => `${line}\n`).join('');
    let begin = from;
    if (slot.last) {
      insert = insert.slice(0, -1);
      // The line before has a line break only if something follows.
      if (lines.length === 0 && from > 0 && slot.to > from) begin = from -= 1;
      else if (lines.length > 0 && slot.to === from && from > 0) [insert, begin] = [`\n${insert}`, from + 1];
    }
    return {
      changes: { from, to: slot.to, insert: Text.of(insert.split('\n')) },
      selection: EditorSelection.cursor(begin),
      effects: choose.of({ index, choice, from: begin, to: from + insert.length }),
      userEvent: 'input.choose',
      scrollIntoView: true,
    };
  }

  show(view: EditorView, index: number): void {
    const slot = this.slots(view)[index];
    if (!slot) return;
    view.dispatch({ selection: EditorSelection.cursor(slot.from), effects: EditorView.scrollIntoView(slot.from, { y: 'center' }) });
  }
}

/** The index of the slot at or after the cursor. */
export function slotAt(slots: readonly Slot[], state: EditorState): number {
  const { head } = state.selection.main;
  const next = slots.findIndex((slot) => head < slot.to || head === slot.from);
  return next < 0 ? slots.length - 1 : next;
}

function update(slots: readonly Slot[], transaction: Transaction): readonly Slot[] {
  for (const effect of transaction.effects) if (effect.is(restore)) return effect.value;
  const chosen = transaction.effects.find((effect) => effect.is(choose))?.value;
  if (!transaction.docChanged && chosen === undefined) return slots;
  return slots.map((slot, index) => {
    if (chosen?.index === index) return { ...slot, from: chosen.from, to: chosen.to, choice: chosen.choice };
    const empty = slot.from === slot.to;
    // What is typed before the line that follows isn't of the slot; after the last line of the text it is.
    const open = empty || slot.last;
    const from = transaction.changes.mapPos(slot.from, chosen ? 1 : -1);
    const to = transaction.changes.mapPos(slot.to, open && !chosen ? 1 : -1);
    const touched = !chosen && touches(transaction, slot, open);
    return { ...slot, from, to: Math.max(from, to), choice: touched ? 'edited' : slot.choice };
  });
}

/** Whether something in it was changed. `open`: its end belongs to it. */
function touches(transaction: Transaction, slot: Slot, open: boolean): boolean {
  const ranges: [number, number][] = [];
  transaction.changes.iterChangedRanges((from, to) => ranges.push([from, to]));
  return ranges.some(([from, to]) => to >= slot.from && (from < slot.to || (open && from === slot.to)));
}

type ChoiceHandler = (view: EditorView, index: number, choice: Choice) => void;

function decorate(doc: Text, slots: readonly Slot[], choosing: ChoiceHandler): DecorationSet {
  const marks: Range<Decoration>[] = [];
  slots.forEach((slot, index) => {
    const decided = slot.choice !== null;
    marks.push(Decoration.widget({ widget: new Bar(index, slots.length, slot.choice, choosing), block: true, side: -1 }).range(slot.from));
    const line = Decoration.line({ class: decided ? 'cm-decided' : 'cm-torn' });
    for (let at = slot.from; at < slot.to; at = doc.lineAt(at).to + 1) marks.push(line.range(doc.lineAt(at).from));
  });
  return Decoration.set(marks, true);
}

class Bar extends WidgetType {
  readonly #index: number;
  readonly #count: number;
  readonly #choice: Slot['choice'];
  readonly #choosing: ChoiceHandler;

  constructor(index: number, count: number, choice: Slot['choice'], choosing: ChoiceHandler) {
    super();
    [this.#index, this.#count, this.#choice, this.#choosing] = [index, count, choice, choosing];
  }

  override eq(other: Bar): boolean {
    return other.#index === this.#index && other.#choice === this.#choice;
  }

  override get estimatedHeight(): number {
    return 28;
  }

  override toDOM(view: EditorView): HTMLElement {
    const bar = document.createElement('div');
    bar.className = 'cm-conflict';
    bar.setAttribute('data-testid', 'conflict-bar');
    const which = document.createElement('span');
    [which.textContent, which.title] = [`${this.#index + 1}/${this.#count}`, `Conflict ${this.#index + 1} of ${this.#count}`];
    bar.append(which);
    for (const { id, label } of CHOICES) {
      const button = document.createElement('button');
      // By keyboard: the same buttons above the texts.
      [button.type, button.textContent, button.tabIndex] = ['button', label, -1];
      button.dataset['choice'] = id;
      button.setAttribute('aria-pressed', String(this.#choice === id));
      button.addEventListener('click', () => this.#choosing(view, this.#index, id));
      bar.append(button);
    }
    if (this.#choice === 'edited') bar.append('edited');
    return bar;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
