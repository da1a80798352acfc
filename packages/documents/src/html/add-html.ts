import type { DocumentBuilder } from '../document/document-builder.js';
import { countLeftOut } from './count-left-out.js';
import { HtmlBlocks } from './html-blocks.js';
import { measurePage } from './measure-page.js';
import { parseHtml } from './parse-html.js';

/** Adds all visible text of a page, including menus and footers. Its title and metadata are not read. */
export function addHtml(html: string, builder: DocumentBuilder): void {
  const tree = parseHtml(html);
  measurePage(tree);
  new HtmlBlocks(builder, tree.body, tree.ids).add();
  countLeftOut(tree.body, tree.body, null, builder);
}
