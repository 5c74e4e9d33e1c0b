import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';

// Find and replace in two rows. It is part of CodeMirror's own document, so it is made of plain elements.

const COUNTED = 1_000;

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function button(label: string, text: string, run: () => unknown): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'find-button', 'aria-label': label, title: label }, text);
  made.addEventListener('click', run);
  return made;
}

export function searchPanel(view: EditorView): Panel {
  const start = getSearchQuery(view.state);
  const field = (name: string, label: string, value: string): HTMLInputElement => {
    const input = element('input', { type: 'text', name, placeholder: label, 'aria-label': label, spellcheck: 'false', class: 'find-field' });
    input.value = value;
    input.addEventListener('input', commit);
    return input;
  };
  const find = field('search', 'Find', start.search);
  find.setAttribute('main-field', 'true');
  const replacement = field('replace', 'Replace', start.replace);
  const count = element('span', { class: 'find-count', 'aria-live': 'polite' });
  const switches = {
    caseSensitive: toggle('Match case (Alt+C)', 'Aa', start.caseSensitive),
    wholeWord: toggle('Whole words (Alt+W)', 'ab', start.wholeWord),
    regexp: toggle('Regular expression (Alt+R)', '.*', start.regexp),
  };

  function toggle(label: string, text: string, pressed: boolean): HTMLButtonElement {
    const made = button(label, text, () => {
      made.setAttribute('aria-pressed', String(made.getAttribute('aria-pressed') !== 'true'));
      commit();
    });
    made.setAttribute('aria-pressed', String(pressed));
    return made;
  }

  function commit(): void {
    const on = (one: HTMLButtonElement): boolean => one.getAttribute('aria-pressed') === 'true';
    const query = new SearchQuery({
      search: find.value,
      replace: replacement.value,
      caseSensitive: on(switches.caseSensitive),
      wholeWord: on(switches.wholeWord),
      regexp: on(switches.regexp),
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  }

  function tell(): void {
    const query = getSearchQuery(view.state);
    find.setAttribute('aria-invalid', String(query.search !== '' && !query.valid));
    if (query.search === '' || !query.valid) {
      count.textContent = query.search === '' ? '' : 'invalid regular expression';
      return;
    }
    const { from, to } = view.state.selection.main;
    const cursor = query.getCursor(view.state);
    let total = 0;
    let here = 0;
    for (let step = cursor.next(); !step.done && total < COUNTED; step = cursor.next()) {
      total += 1;
      if (step.value.from === from && step.value.to === to) here = total;
    }
    const all = total === COUNTED ? `${COUNTED}+` : String(total);
    count.textContent = total === 0 ? 'none' : here > 0 ? `${here} of ${all}` : `${all} found`;
  }

  function keydown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const alt = event.altKey && !event.ctrlKey ? event.key.toLowerCase() : '';
    if (alt === 'c') switches.caseSensitive.click();
    else if (alt === 'w') switches.wholeWord.click();
    else if (alt === 'r') switches.regexp.click();
    else if (event.key === 'Enter' && event.target === find) (event.shiftKey ? findPrevious : findNext)(view);
    else if (event.key === 'Enter' && event.target === replacement) (event.ctrlKey ? replaceAll : replaceNext)(view);
    else if (!runScopeHandlers(view, event, 'search-panel')) return;
    event.preventDefault();
    event.stopPropagation();
  }

  const readOnly = view.state.readOnly;
  const replaceRow = element(
    'div',
    { class: 'find-row' },
    replacement,
    button('Replace (Enter)', 'Replace', () => replaceNext(view)),
    button('Replace all (Ctrl+Enter)', 'Replace all', () => replaceAll(view)),
  );
  const dom = element(
    'div',
    { class: 'cm-search find-panel', role: 'search', 'aria-label': 'Find in file' },
    element(
      'div',
      { class: 'find-row' },
      find,
      ...Object.values(switches),
      button('Previous match (Shift+Enter)', '↑', () => findPrevious(view)),
      button('Next match (Enter)', '↓', () => findNext(view)),
      count,
      button('Close (Esc)', '×', () => closeSearchPanel(view)),
    ),
    ...(readOnly ? [] : [replaceRow]),
  );
  dom.addEventListener('keydown', keydown);

  return {
    dom,
    top: true,
    mount: () => {
      find.select();
      tell();
    },
    update: (update: ViewUpdate) => {
      for (const transaction of update.transactions) {
        for (const effect of transaction.effects) {
          if (!effect.is(setSearchQuery)) continue;
          // Ctrl+F with something selected looks for it.
          if (find.value !== effect.value.search) find.value = effect.value.search;
          tell();
        }
      }
      if (update.docChanged || update.selectionSet) tell();
    },
  };
}
