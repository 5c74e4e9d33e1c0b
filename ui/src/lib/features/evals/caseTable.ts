import { CaseCursor } from './caseCursor.svelte';
import type { CaseList } from './caseList.svelte';
import { CasePasting } from './casePasting.svelte';
import { CaseSelection } from './caseSelection.svelte';
import { CellEditor } from './cellEditor.svelte';

/** The table in which cases are edited. */
export class CaseTable {
  readonly list: CaseList;
  readonly cursor: CaseCursor;
  readonly editor: CellEditor;
  readonly selection: CaseSelection;
  readonly pasting: CasePasting;

  constructor(list: CaseList, isLocked: () => boolean) {
    this.list = list;
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
