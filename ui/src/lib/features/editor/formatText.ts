import type { CodeView } from './codemirror/codeView';
import type { Document } from './document.svelte';

/** Lines from 1. */
interface Lines {
  from: number;
  to: number;
}

/** Formats a document, in the editor that shows it if one does; false when there was nothing to change. Throws where it can't be. */
export async function formatText(document: Document, front: CodeView | null, lines: Lines | null): Promise<boolean> {
  const { formatBeside } = await import('./format/inWorker');
  const text = document.text();
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = lineBreak === '\n' ? text : text.replaceAll('\r\n', '\n');
  const edits = await formatBeside(document.path, plain, lines);
  // Someone went on typing meanwhile.
  if (edits.length === 0 || document.text() !== text) return false;
  if (front?.document === document) {
    front.rewrite(edits);
  } else {
    const after = edits.toReversed().reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), plain);
    document.replace(lineBreak === '\n' ? after : after.replaceAll('\n', '\r\n'));
  }
  return true;
}

/** What formatting does to a file of this kind, in a sentence. */
export async function formattingOf(path: string): Promise<string | null> {
  const { formatterOf } = await import('./format/formatters');
  return formatterOf(path)?.about ?? null;
}
