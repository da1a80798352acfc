export { openSource, type SourceContext } from './open-source.js';
export { PathFilter } from './path-filter.js';
export {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceAccess,
  type SourceDocument,
  SourceError,
  type SourceErrorKind,
  type SourceWatch,
} from './source.js';
export { sourceProblem } from './source-problem.js';
