import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { declaredCharset } from './html-encoding.js';
import { measurePage } from './measure-page.js';
import { PageHead } from './page-head.js';
import { type PictureOf, placePictures } from './page-pictures.js';
import { parseHtml } from './parse-html.js';
import { buildPage, countLeftOut } from './read-page.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { HtmlBlocks } from './html-blocks.js';

/**
 * Reads web pages, crawled or uploaded: main content with anchors, title, language, and metadata such as the
 * canonical URL.
 */
export const htmlParser: DocumentParser = {
  async parse(input, builder) {
    const declared = declaredCharset(input.bytes, input.declaredEncoding);
    const text = await readText(input, builder, declared);
    const tree = parseHtml(text, { isXhtml: /^\s*<\?xml\s/.test(text) });
    const head = new PageHead(tree);
    placePictures(tree, builder);
    measurePage(tree);
    buildPage(tree, head, builder, {});
  },
};

/**
 * Adds all visible text of a page, including menus and footers. Its title and metadata are not read.
 *
 * @param options.hasLayout see {@link HtmlBlocks}
 * @param options.isXhtml see {@link parseHtml}
 * @param options.pictureOf the picture with an address that is none of data
 */
export function addHtml(
  html: string,
  builder: DocumentBuilder,
  {
    hasLayout = true,
    isXhtml = false,
    pictureOf,
  }: { hasLayout?: boolean; isXhtml?: boolean; pictureOf?: PictureOf } = {},
): void {
  const tree = parseHtml(html, { isXhtml });
  placePictures(tree, builder, pictureOf);
  measurePage(tree);
  new HtmlBlocks(builder, tree.body, tree.ids, hasLayout).add();
  countLeftOut(tree.body, builder);
}
