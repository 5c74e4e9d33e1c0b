import { type Completion, type CompletionSource, ifNotIn } from '@codemirror/autocomplete';
import { pythonLanguage } from '@codemirror/lang-python';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import type { Script } from '$lib/api/generated';
import { card } from './card';
import { completionsAt, importsOf, memberAt, type Offer } from './scriptApi';

export type ScriptFunctions = () => Promise<readonly Script.ScriptFunction[]>;

const memberCard = ({ signature, returns, doc }: Script.ScriptFunction): HTMLElement => card(returns === '' ? signature : `${signature} → ${returns}`, doc);

function completionOf({ name, member }: Offer): Completion {
  if (!member) return { label: name, type: 'namespace' };
  const last = member.signature.indexOf('(');
  return {
    label: name,
    type: member.kind === 'function' ? 'function' : 'class',
    detail: last < 0 ? '' : member.signature.slice(last),
    info: () => memberCard(member),
  };
}

/** Completion of and help on what the module `inklings` offers to scripts. */
export function scriptTools(functions: ScriptFunctions): Extension {
  const complete: CompletionSource = async (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (!context.explicit && !/[\w.,( ]$/.test(before)) return null;
    const found = completionsAt(before, importsOf(context.state.sliceDoc()), await functions());
    return found && { from: line.from + found.from, options: found.offers.map(completionOf), validFor: /^\w*$/ };
  };
  const hover = hoverTooltip(async (view, pos): Promise<Tooltip | null> => {
    const line = view.state.doc.lineAt(pos);
    const found = memberAt(line.text, pos - line.from, importsOf(view.state.sliceDoc()), await functions());
    return found && { pos: line.from + found.from, end: line.from + found.to, above: true, create: () => ({ dom: memberCard(found.member) }) };
  });
  return [
    pythonLanguage.data.of({ autocomplete: ifNotIn(['String', 'FormatString', 'Comment'], complete) }),
    hover,
  ];
}
