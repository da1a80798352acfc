import { withoutMarkdown } from '@citewell/sdk';

/** A line break within a sentence, as texts with lines of limited length have them. */
const SOFT_BREAK = /(?<=[\p{L}\p{N},;])[ \t]*\n(?=\p{Ll})/gu;

/** A quote as it is shown: a heading or a row of a table keeps its line. Its element keeps line breaks (`pre-line`). */
export function shownQuote(text: string): string {
  return withoutMarkdown(text).replace(SOFT_BREAK, ' ').trim();
}
