export type { PageFacts, PageLink } from './page-facts.js';
export {
  readPage,
  withEmbeddedPage,
  type EmbeddedPage,
  type Page,
  type ReadPageOptions,
} from './read-page.js';
export type { RenderingReason } from './rendering-reason.js';
