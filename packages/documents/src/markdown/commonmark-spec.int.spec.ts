import { describe, expect, it } from '@jest/globals';
import commonmark from 'commonmark-spec';
import { parse } from '../test-files/parse.js';

const { tests } = commonmark;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * Examples that are read in another way: a text field, of which the value is no text of the document; a table in HTML
 * with blank lines and indentation, whose cell is a cell and not code; and an attribute that contains a tag.
 */
const OTHER_EXAMPLES: ReadonlySet<number> = new Set([171, 191, 616]);

/** The text that a browser shows for HTML, with image descriptions and without struck text. */
function shownText(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![A-Z][^>]*>/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<(del|s)>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<img [^>]*?alt="([^"]*)"[^>]*>/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, (tag) => (/^<\/?(?:p|li|td|th|h\d|pre|div|br)\b/i.test(tag) ? ' ' : ''))
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

describe('the examples of the CommonMark specification', () => {
  it('exist', () => expect(tests.length).toBeGreaterThan(600));

  it('keep every visible word', async () => {
    const failures: string[] = [];
    for (const { markdown, html, number } of tests) {
      const wanted = wordsOf(shownText(html));
      if (wanted.length === 0 || OTHER_EXAMPLES.has(number)) continue;
      const { text } = await parse(markdown.replaceAll('→', '\t'), 'text/markdown');
      const words = wordsOf(text);
      const missing = wanted.filter((word) => {
        const at = words.indexOf(word);
        if (at >= 0) words.splice(at, 1);
        return at < 0;
      });
      if (missing.length > 0) failures.push(`${number}: ${missing.join(' ')}`);
    }
    expect(failures).toEqual([]);
  });
});
