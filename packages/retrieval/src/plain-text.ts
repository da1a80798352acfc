// Without dictionaries, so that a parser process loads little.
export { foldWord } from './analysis/word-folder.js';
export { monthNames } from './analysis/months.js';
export { cellsOf } from './answers/markdown-table.js';
