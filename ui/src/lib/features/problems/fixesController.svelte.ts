import type { MenuItem } from '$lib/components';
import type { Document } from '$lib/features/editor';
import type { Problem } from '$lib/features/problems';
import type { Diagnostic, Fix } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'contextMenu' | 'editor' | 'files' | 'help' | 'notifications' | 'tabs' | 'toasts'>;

interface Spot {
  x: number;
  y: number;
}

/** What can be done about a finding: offered in the text, and in the list of problems. */
export class FixesController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Offers what can be done about the findings on the line of the cursor. */
  here(): void {
    const { tabs, editor } = this.#services;
    const { document } = tabs;
    if (!document) return;
    const { line } = editor.cursor;
    const found = document.diagnostics.filter((one) => (one.line ?? 1) <= line && line <= (one.end_line ?? one.line ?? 1));
    if (found.length === 0) {
      this.#services.toasts.show('No quick fixes on this line.');
      return;
    }
    const box = editor.front?.cursorBox() ?? { left: 200, bottom: 220 };
    const items = found.flatMap((one) => document.fixesFor(one).map((fix): MenuItem => ({ label: fix.title, run: () => this.apply(document, fix) })));
    this.#offer({ x: box.left, y: box.bottom }, items, found, this.#services.files.skillOf(document)?.locked ?? false, document);
  }

  /** Offers what can be done about a problem of the list. */
  async problem(problem: Problem, at: Spot): Promise<void> {
    const { key, path, diagnostic } = problem;
    if (path === null) {
      this.#offer(at, [], [diagnostic], problem.skill?.locked ?? false, problem);
      return;
    }
    const open = this.#services.tabs.documentOf({ scope: key.scope, skillId: key.id, path });
    const text = open?.status === 'ready' ? { text: open.text() } : {};
    try {
      const found = await this.#services.client.call('check/fixes', { skill: key.id, scope: key.scope, path, rule: diagnostic.rule, line: diagnostic.line, ...text });
      const items = found.fixes.map((fix): MenuItem => ({ label: fix.title, run: () => this.#applyTo(problem, fix, found.text) }));
      this.#offer(at, items, [diagnostic], found.locked, problem);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load quick fixes', cause);
    }
  }

  /** Does what a fix of an open text says, unless the text is another one by now. */
  async apply(document: Document, fix: Fix): Promise<void> {
    if (fix.rename !== null) await this.#rename(document, fix);
    else if (!document.takes(fix) || !document.fix(fix)) this.#stale();
  }

  /** Opens the file, so that the change is seen and can be undone there. */
  async #applyTo({ key, path, diagnostic }: Problem, fix: Fix, text: string): Promise<void> {
    if (path === null) return;
    const at = diagnostic.line === null ? {} : { at: { line: diagnostic.line, column: diagnostic.column ?? 1 } };
    this.#services.files.open(key, path, at);
    const document = this.#services.tabs.documentOf({ scope: key.scope, skillId: key.id, path });
    await document?.ready;
    if (document?.status !== 'ready') return;
    if (fix.rename !== null) await this.#rename(document, fix);
    else if (!document.fix(fix, text)) this.#stale();
  }

  async #rename(document: Document, fix: Fix): Promise<void> {
    const skill = this.#services.files.skillOf(document);
    if (!skill || fix.rename === null) return;
    const failure = await this.#services.actions.structure.rename(skill, document.path, fix.rename, false);
    if (failure) this.#services.notifications.report(`Couldn’t rename ${document.path}`, failure);
  }

  #stale(): void {
    this.#services.toasts.show('The text changed. Try the fix again.', { tone: 'warn' });
  }

  #offer(at: Spot, items: MenuItem[], found: readonly Diagnostic[], locked: boolean, of: Document | Problem): void {
    const key = 'key' in of && 'diagnostic' in of ? of.key : { scope: of.scope, id: of.skillId };
    const skill = this.#services.catalog.summary(key);
    const first: MenuItem[] =
      locked && skill
        ? [{ label: 'Duplicate to edit', run: () => this.#services.actions.duplicate(skill) }]
        : items.length > 0
          ? items
          : [{ label: 'No quick fixes', disabled: true, run: () => undefined }];
    const rules = [...new Set(found.map((one) => one.rule))];
    const about = rules.map((rule, index): MenuItem => ({ label: `About ${rule}`, separated: index === 0, run: () => this.#services.help.open('rules', rule) }));
    this.#services.contextMenu.show(at, 'Quick fixes', [...first, ...about]);
  }
}
