export * from '../languages.js';
export * from './catalogues.js';
export type * from './describe-error.js';
