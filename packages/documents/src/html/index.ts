export type { PageFacts } from './page-facts.js';
export { readPage, withEmbeddedPage, type EmbeddedPage, type Page } from './read-page.js';
export type { RenderingReason } from './rendering-reason.js';
