export { backgroundTask, callTask, type TaskLabel } from './taskLabel';
