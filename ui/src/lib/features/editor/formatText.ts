import type { CodeView } from './codemirror/codeView';
import type { Document } from './document/document.svelte';

/** Lines from 1. */
interface Lines {
  from: number;
  to: number;
}

/** Formats a document, in its editor if it is shown; false if nothing changed. Throws if it can't be formatted. */
export async function formatText(document: Document, front: CodeView | null, lines: Lines | null): Promise<boolean> {
  const { formatBeside } = await import('./format/inWorker');
  const text = document.content.text();
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = lineBreak === '\n' ? text : text.replaceAll('\r\n', '\n');
  const edits = await formatBeside(document.file.path, plain, lines);
  // The text was edited meanwhile.
  if (edits.length === 0 || document.content.text() !== text) return false;
  if (front?.document === document) {
    front.commands.applyEdits(edits);
  } else {
    const after = edits.toReversed().reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), plain);
    document.content.replace(lineBreak === '\n' ? after : after.replaceAll('\n', '\r\n'));
  }
  return true;
}

/** One sentence on what formatting changes in files of this type. */
export async function formattingOf(path: string): Promise<string | null> {
  const { formatterOf } = await import('./format/formatters');
  return formatterOf(path)?.about ?? null;
}
