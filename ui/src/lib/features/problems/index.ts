export type { Problem } from './rows';
