import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { declaredCharset } from './html-encoding.js';
import { measurePage } from './measure-page.js';
import { PageHead } from './page-head.js';
import { parseHtml } from './parse-html.js';
import { buildPage } from './read-page.js';

/**
 * Reads web pages, crawled or uploaded: main content with anchors, title, language, and metadata such as the
 * canonical URL.
 */
export const htmlParser: DocumentParser = {
  async parse(input, builder) {
    const declared = declaredCharset(input.bytes, input.declaredEncoding);
    const tree = parseHtml(await readText(input, builder, declared));
    const head = new PageHead(tree);
    measurePage(tree);
    buildPage(tree, head, builder, {});
  },
};
