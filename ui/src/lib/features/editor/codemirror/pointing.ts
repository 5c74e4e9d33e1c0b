import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip, type Tooltip, ViewPlugin } from '@codemirror/view';
import type { Symbols } from '$lib/api/generated';
import type { Position } from '../document/document.svelte';
import { type DocumentHelp, SKILL_JSON } from '../help';
import { card } from './card';
import { keyAt, type Shape } from './jsonOffers';
import { columnAt, offsetOf } from './positions';
import { wordAt } from './templateOffers';

// Hovers, and Go to definition by Ctrl+click.

/** A key's help needs the whole JSON file to be scanned. */
const MAX_JSON_LENGTH = 400_000;

function positionAt(view: EditorView, pos: number): Position {
  const line = view.state.doc.lineAt(pos);
  return { line: line.number, column: columnAt(line.text, pos - line.from) };
}

const rangeOf = (view: EditorView, { location }: Symbols.SymbolInformation): { from: number; to: number } => ({
  from: offsetOf(view.state.doc, location.line, location.column),
  to: offsetOf(view.state.doc, location.end_line, location.end_column),
});

/** Help for a word of the template language, or a key of a file with a known schema. */
async function wordHelp(view: EditorView, pos: number, help: DocumentHelp): Promise<Tooltip | null> {
  const { doc } = view.state;
  const isModule = help.kind() === 'dspy_module';
  const line = doc.lineAt(pos);
  const of = async (): Promise<{ from: number; to: number; name: string; about: string } | null> => {
    if (help.kind() === 'prompt_template' || help.kind() === 'code_template') {
      const found = wordAt(line.text, pos - line.from, await help.language());
      return found && { ...found, from: line.from + found.from, to: line.from + found.to };
    }
    if ((help.path() !== SKILL_JSON && !isModule) || doc.length > MAX_JSON_LENGTH) return null;
    const language = await help.language();
    return keyAt(doc.toString(), pos, (isModule ? language.dspy_module : language.skill_json) as Shape);
  };
  const found = await of();
  return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: card(found.name, found.about) }) };
}

const hover = (help: DocumentHelp): Extension =>
  hoverTooltip(async (view, pos): Promise<Tooltip | null> => {
    const doc = view.state.doc;
    const [info, word] = await Promise.all([help.at(positionAt(view, pos)), wordHelp(view, pos, help)]);
    if (!view.state.doc.eq(doc)) return null;
    if (!info) return word;
    const { from, to } = rangeOf(view, info);
    return { pos: from, end: to, above: true, create: () => ({ dom: card(info.title, info.about, info.facts) }) };
  });

const lead = StateEffect.define<{ from: number; to: number } | null>();
const mark = Decoration.mark({ class: 'cm-lead' });

/** Underlines the symbol under the pointer while Ctrl is held. */
const leads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes }) {
    const shown = effects.findLast((effect) => effect.is(lead));
    if (shown) return shown.value && shown.value.to > shown.value.from ? Decoration.set([mark.range(shown.value.from, shown.value.to)]) : Decoration.none;
    return changes.empty ? marks : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function leading(help: DocumentHelp): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      asked = -1;
      readonly view: EditorView;

      constructor(view: EditorView) {
        this.view = view;
      }

      async show(pos: number): Promise<void> {
        if (pos === this.asked) return;
        this.asked = pos;
        const { doc } = this.view.state;
        const info = await help.at(positionAt(this.view, pos));
        if (this.asked !== pos || !this.view.state.doc.eq(doc)) return;
        this.view.dispatch({ effects: lead.of(info && info.targets.length > 0 ? rangeOf(this.view, info) : null) });
      }

      hide(): void {
        if (this.asked < 0) return;
        this.asked = -1;
        this.view.dispatch({ effects: lead.of(null) });
      }
    },
    {
      eventHandlers: {
        mousemove(event, view) {
          const pos = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
          if (pos === null) this.hide();
          else void this.show(pos);
        },
        mouseleave() {
          this.hide();
        },
        keyup(event) {
          if (event.key === 'Control' || event.key === 'Meta') this.hide();
        },
        mousedown(event, view) {
          if (event.button !== 0 || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return false;
          const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (pos === null) return false;
          event.preventDefault();
          this.hide();
          view.dispatch({ selection: { anchor: pos }, userEvent: 'select.pointer' });
          view.focus();
          help.follow(positionAt(view, pos));
          return true;
        },
      },
    },
  );
  return [leads, plugin];
}

export const pointing = (help: DocumentHelp): Extension => [hover(help), leading(help)];
