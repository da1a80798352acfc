export { type ProcessEnd, RunningProcess } from './running-process.js';
