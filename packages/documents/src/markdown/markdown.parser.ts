import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { canonicalText, singleLine } from '../document/canonical-text.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { addHtml } from '../html/html.parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { withoutDataUrls } from '../text-decoding/text-content.js';
import { readFrontMatter } from './front-matter.js';
import { markdownToHtml } from './markdown-html.js';

const TOO_DEEP = /^(?:[ \t]*>){100}/m;
const DEFINITION = /^[ \t]*\[[^[\]\n]+\]:/gm;
const MAX_DEFINITIONS = 20_000;

/**
 * Reads CommonMark with GitHub's tables, task lists, strikethrough and footnotes as the page that it stands for, with
 * the HTML in it. The fields of the front matter are metadata, and the first paragraph.
 */
export const markdownParser: DocumentParser = {
  async parse(input, builder) {
    const text = withoutDataUrls(await readText(input, builder));
    const { fields, body } = readFrontMatter(canonicalText(text));
    for (const [key, value] of fields) builder.setMetadata(key, value);
    builder.setTitle(fields.get('title'));
    builder.setLanguage(fields.get('lang') ?? fields.get('language'));
    builder.block(
      'paragraph',
      Array.from(fields, ([key, value]) => `${key}: ${singleLine(value)}`).join('\n'),
    );
    addHtml(markdownToHtml(parseMarkdown(body), body, builder), builder, { hasLayout: false });
  },
};

/** @throws DocumentError TOO_COMPLEX for what would take too long */
function parseMarkdown(body: string): Root {
  // remark's time is quadratic in the nesting depth of block quotes.
  if (TOO_DEEP.test(body)) throw new DocumentError('TOO_COMPLEX', 'quotes are nested too deeply');
  // remark takes 0.2 ms for each, and looks for each reference among all of them.
  if ((body.match(DEFINITION)?.length ?? 0) > MAX_DEFINITIONS) {
    const most = MAX_DEFINITIONS.toLocaleString('en');
    throw new DocumentError('TOO_COMPLEX', `more than ${most} definitions`, {
      userMessage: `The file has more than ${most} definitions of links. Split it and upload the parts.`,
    });
  }
  return unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).parse(body);
}
