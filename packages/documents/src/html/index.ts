export type { PageFacts, PageLink } from './page-facts.js';
export { readPage, type Page, type ReadPageOptions } from './read-page.js';
export type { RenderingReason } from './rendering-reason.js';
