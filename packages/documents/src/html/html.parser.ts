import { parseHTML } from 'linkedom';
import type { DocumentParser } from '../document-parser.js';
import { decodeText } from '../text-decoding/decode-text.js';
import { HtmlBlocks } from './html-blocks.js';
import { declaredCharset } from './html-encoding.js';
import { isFurniture, mainContent, type HtmlDocument } from './main-content.js';

/** Web pages: main content with headings and their ids, title, language, canonical address, robots directives. */
export const htmlParser: DocumentParser = {
  async parse({ bytes, declaredEncoding }, builder) {
    const { text, encoding } = await decodeText(bytes, declaredEncoding ?? declaredCharset(bytes));
    const parse = (): HtmlDocument => parseHTML(withDocumentElement(text)).document;
    const document = parse();
    const meta = (name: string): string | null =>
      document.querySelector(`meta[name="${name}" i], meta[property="${name}" i]`)?.getAttribute('content') ??
      null;

    builder
      .setTitle(document.querySelector('h1')?.textContent)
      .setTitle(meta('og:title'))
      .setTitle(document.querySelector('title')?.textContent)
      .setLanguage(document.documentElement?.getAttribute('lang'))
      .setMetadata('encoding', encoding)
      .setMetadata('description', meta('description') ?? meta('og:description'))
      .setMetadata('canonical', document.querySelector('link[rel~="canonical" i]')?.getAttribute('href'))
      .setMetadata('robots', meta('robots'));

    const content = mainContent(document, parse);
    if (content !== null) new HtmlBlocks(builder, isFurniture).add(content);
  },
};

/** The parser makes no `<html>` and `<body>` of its own, which fragments need. */
function withDocumentElement(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  return /<html[\s>]/i.test(html)
    ? html.replace(/<\/head\s*>/i, '$&<body>')
    : `<html><body>${html}</body></html>`;
}
