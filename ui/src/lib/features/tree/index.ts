export { pathOf, type Row, type ItemRow } from './rows';
export { type TreeMarks } from './treeMarks';
