import { beforeEach, expect, it, vi } from 'vitest';
import { focusOnArrival } from './focusOnArrival';
import { focusViewIfLost, restoreFocus } from './restoreFocus';

/** As much of an element as the focus needs; nothing is drawn in tests. */
class FakeElement extends EventTarget {
  isConnected = true;
  tabIndex = 0;
  readonly #selector: string;

  constructor(selector: string) {
    super();
    this.#selector = selector;
  }

  matches(selector: string): boolean {
    return selector === this.#selector;
  }

  focus(): void {
    const before = page.activeElement;
    page.activeElement = this;
    before.dispatchEvent(new Event('blur'));
  }

  removeAttribute(): void {
    this.tabIndex = 0;
  }
}

const [body, view, editor, item] = ['body', 'main[data-region]', '.cm-content', '[data-view]'].map((selector) => new FakeElement(selector)) as [FakeElement, FakeElement, FakeElement, FakeElement];
const page = { activeElement: body, body, querySelector: () => view };
const list = (): FakeElement => {
  const element = new FakeElement('[role=listbox]');
  focusOnArrival(element as unknown as HTMLElement);
  return element;
};

beforeEach(() => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('HTMLElement', FakeElement);
  page.activeElement = body;
  editor.isConnected = true;
  return () => vi.unstubAllGlobals();
});

it('the focus returns to where it was, else to the view that is shown', async () => {
  restoreFocus(editor as unknown as Element);
  await focusViewIfLost();
  expect(page.activeElement).toBe(editor);
  [editor.isConnected, page.activeElement] = [false, body];
  restoreFocus(editor as unknown as Element);
  await focusViewIfLost();
  expect([page.activeElement, view.tabIndex]).toEqual([view, -1]);
});

it('a list takes the focus from its view and the activity bar, but from nothing else', async () => {
  await focusViewIfLost();
  expect(page.activeElement).toBe(view);
  const arrived = list();
  expect([page.activeElement, view.tabIndex]).toEqual([arrived, 0]);
  list();
  expect(page.activeElement).toBe(arrived);
  page.activeElement = item;
  const next = list();
  expect(page.activeElement).toBe(next);
});
