import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';

// MiniJinja over prose: statements, expressions, comments and raw blocks; outside of them the little of markdown that
// helps to read a prompt (headings, lists, emphasis, fences).

type Mode = 'text' | 'statement' | 'expression' | 'comment';

interface State {
  mode: Mode;
  /** The next word names the statement. */
  first: boolean;
  raw: boolean;
  afterDot: boolean;
  afterPipe: boolean;
}

const KEYWORDS = new Set(
  (
    'if elif else endif for endfor in not and or is set endset with endwith block endblock extends include import from ' +
    'as macro endmacro call endcall filter endfilter autoescape endautoescape do recursive break continue raw endraw'
  ).split(' '),
);
const ATOMS = new Set(['true', 'false', 'none', 'True', 'False', 'None', 'undefined']);
const CLOSE: Record<Exclude<Mode, 'text'>, RegExp> = {
  statement: /^[-+]?%\}/,
  expression: /^[-+]?\}\}/,
  comment: /^[-+]?#\}/,
};

function open(stream: StringStream, state: State): string | null {
  if (state.raw) {
    if (!stream.match(/^\{%[-+]?\s*endraw\b/, false)) return null;
    state.raw = false;
  }
  if (stream.match(/^\{%[-+]?/)) {
    state.mode = 'statement';
    state.first = true;
    return 'tagName';
  }
  if (stream.match(/^\{\{[-+]?/)) {
    state.mode = 'expression';
    return 'tagName';
  }
  if (stream.match(/^\{#[-+]?/)) {
    state.mode = 'comment';
    return 'comment';
  }
  return null;
}

function prose(stream: StringStream, state: State): string | null {
  const opened = open(stream, state);
  if (opened) return opened;
  if (stream.sol()) {
    if (stream.match(/^#{1,6}\s+[^{]*/)) return 'heading';
    if (stream.match(/^\s*(?:[-*+]|\d+[.)])\s/)) return 'list';
    if (stream.match(/^\s*```[^{]*/)) return 'meta';
    if (stream.match(/^>\s?/)) return 'quote';
  }
  if (stream.match(/^\*\*[^*{}\n]+\*\*/)) return 'strong';
  if (stream.match(/^`[^`{}\n]+`/)) return 'monospace';
  stream.next();
  stream.eatWhile(/[^{*`]/);
  return null;
}

function inside(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) return null;
  const { afterDot, afterPipe } = state;
  state.afterDot = false;
  state.afterPipe = false;
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number';
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
  if (word && word !== true) {
    const name = word[0];
    if (state.first) {
      state.first = false;
      if (name === 'raw') state.raw = true;
      return 'keyword';
    }
    if (afterDot) return 'propertyName';
    if (afterPipe) return 'function';
    if (KEYWORDS.has(name)) return 'keyword';
    if (ATOMS.has(name)) return 'atom';
    return stream.match(/^\s*\(/, false) ? 'function' : 'variableName';
  }
  const char = stream.next();
  if (char === '.') state.afterDot = true;
  else if (char === '|') state.afterPipe = true;
  return char && '()[]{}'.includes(char) ? 'bracket' : 'operator';
}

const parser: StreamParser<State> = {
  name: 'jinja',
  startState: () => ({ mode: 'text', first: false, raw: false, afterDot: false, afterPipe: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.mode === 'text') return prose(stream, state);
    if (stream.match(CLOSE[state.mode])) {
      const was = state.mode;
      state.mode = 'text';
      state.first = false;
      return was === 'comment' ? 'comment' : 'tagName';
    }
    if (state.mode === 'comment') {
      stream.next();
      stream.eatWhile(/[^#+-]/);
      return 'comment';
    }
    return inside(stream, state);
  },
  languageData: { commentTokens: { block: { open: '{#', close: '#}' } }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
  tokenTable: {
    function: tags.function(tags.variableName),
    heading: tags.heading,
    list: tags.processingInstruction,
    quote: tags.quote,
    strong: tags.strong,
    monospace: tags.monospace,
  },
};

export const jinja = StreamLanguage.define(parser);
