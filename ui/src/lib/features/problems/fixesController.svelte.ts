import type { SkillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import { applyFix, type Document } from '$lib/features/editor';
import type { Problem } from '$lib/features/problems';
import type { Check, Diagnostic } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'contextMenu' | 'documents' | 'editor' | 'files' | 'help' | 'notifications' | 'tabs' | 'toasts'>;

interface Point {
  x: number;
  y: number;
}

/** Offers and applies quick fixes, in the editor and in the problems panel. */
export class FixesController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Shows the quick fixes on the line of the cursor. */
  here(): void {
    const { tabs, editor } = this.#services;
    const { document } = tabs;
    if (!document) return;
    const { line } = editor.cursor;
    const found = document.diagnostics.list.filter((one) => (one.line ?? 1) <= line && line <= (one.end_line ?? one.line ?? 1));
    if (found.length === 0) {
      this.#services.toasts.show('No quick fixes on this line.');
      return;
    }
    const box = editor.front?.selection.cursorBox() ?? { left: 200, bottom: 220 };
    const items = found.flatMap((one) => document.diagnostics.fixesFor(one).map((fix): MenuItem => ({ label: fix.title, run: () => this.apply(document, fix) })));
    this.#offer({ x: box.left, y: box.bottom }, items, found, this.#services.documents.skillOf(document)?.locked ?? false, document.file.skill);
  }

  /** Shows the quick fixes of a row of the problems panel. */
  async problem(problem: Problem, at: Point): Promise<void> {
    const { key, path, diagnostic } = problem;
    if (path === null) {
      this.#offer(at, [], [diagnostic], problem.skill?.locked ?? false, key);
      return;
    }
    const open = this.#services.tabs.documents.get({ scope: key.scope, skillId: key.id, path });
    const text = open?.status === 'ready' ? { text: open.content.text() } : {};
    try {
      const found = await this.#services.client.call('check/fixes', { skill: key.id, scope: key.scope, path, rule: diagnostic.rule, line: diagnostic.line, ...text });
      const items = found.fixes.map((fix): MenuItem => ({ label: fix.title, run: () => this.#applyTo(problem, fix, found.text) }));
      this.#offer(at, items, [diagnostic], found.locked, key);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load quick fixes', cause);
    }
  }

  /** Applies a fix to an open text, unless the text changed since it was offered. */
  async apply(document: Document, fix: Check.Fix): Promise<void> {
    if (fix.rename !== null) await this.#rename(document, fix);
    else if (!document.diagnostics.offers(fix) || !applyFix(document.content, fix)) this.#stale();
  }

  /** Opens the file first, so that the change is visible and can be undone there. */
  async #applyTo({ key, path, diagnostic }: Problem, fix: Check.Fix, text: string): Promise<void> {
    if (path === null) return;
    const at = diagnostic.line === null ? {} : { at: { line: diagnostic.line, column: diagnostic.column ?? 1 } };
    this.#services.files.open(key, path, at);
    const document = this.#services.tabs.documents.get({ scope: key.scope, skillId: key.id, path });
    await document?.load();
    if (document?.status !== 'ready') return;
    if (fix.rename !== null) await this.#rename(document, fix);
    else if (!applyFix(document.content, fix, text)) this.#stale();
  }

  async #rename(document: Document, fix: Check.Fix): Promise<void> {
    const skill = this.#services.documents.skillOf(document);
    if (!skill || fix.rename === null) return;
    const failure = await this.#services.actions.structure.rename(skill, document.file.path, fix.rename, false);
    if (failure) this.#services.notifications.report(`Couldn’t rename ${document.file.path}`, failure);
  }

  #stale(): void {
    this.#services.toasts.show('The text changed. Try the fix again.', { tone: 'warn' });
  }

  #offer(at: Point, items: MenuItem[], found: readonly Diagnostic[], locked: boolean, key: SkillKey): void {
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
