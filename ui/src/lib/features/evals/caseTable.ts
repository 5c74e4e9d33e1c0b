import { CaseCursor } from './caseCursor.svelte';
import type { CaseList } from './caseList.svelte';
import { CasePasting } from './casePasting.svelte';
import type { CaseSaving } from './caseSaving.svelte';
import { CaseSelection } from './caseSelection.svelte';
import { CellEditor } from './cellEditor.svelte';

/** The table in which cases are edited. */
export class CaseTable {
  readonly list: CaseList;
  readonly cursor: CaseCursor;
  readonly editor: CellEditor;
  readonly selection: CaseSelection;
  readonly pasting: CasePasting;
  readonly saving: CaseSaving;

  constructor(list: CaseList, saving: CaseSaving, isLocked: () => boolean) {
    this.list = list;
    this.saving = saving;
    this.cursor = new CaseCursor(list);
    this.editor = new CellEditor(list, this.cursor, isLocked);
    this.selection = new CaseSelection(list, this.cursor, isLocked);
    this.pasting = new CasePasting(list);
  }

  reset(): void {
    this.editor.editing = null;
    this.cursor.move(0, 0);
    this.selection.clear();
    this.pasting.close();
  }
}
