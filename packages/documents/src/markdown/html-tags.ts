/** A tag, a comment, or a script or style sheet with its end tag. */
export interface HtmlTag {
  readonly start: number;
  readonly end: number;
  /** In lower case; `''` for a comment. */
  readonly name: string;
  readonly isEndTag: boolean;
}

const OPEN = /<(?:!--|(\/?)([a-z][\w:-]*))/gi;
const RAW_ENDS: Readonly<Record<string, RegExp>> = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi };

/**
 * Finds the tags of HTML in order, in linear time. A tag or comment without an end is none. A script or style sheet
 * without an end tag is only a tag.
 */
export function* htmlTags(html: string): Generator<HtmlTag> {
  let end = 0;
  /** Ends that the rest of the HTML does not have. */
  const absent = new Set<string>();
  for (const { index: start, 0: open, 1: slash, 2: name = '' } of html.matchAll(OPEN)) {
    if (start < end) continue;
    const close = name === '' ? '-->' : '>';
    const at = absent.has(close) ? -1 : html.indexOf(close, start + open.length);
    if (at < 0) {
      absent.add(close);
      continue;
    }
    end = at + close.length;
    const tag = name.toLowerCase();
    const rawEnd = slash === '/' || absent.has(tag) ? undefined : RAW_ENDS[tag];
    if (rawEnd !== undefined) {
      rawEnd.lastIndex = start;
      if (rawEnd.test(html)) end = rawEnd.lastIndex;
      else absent.add(tag);
    }
    yield { start, end, name: tag, isEndTag: slash === '/' };
  }
}
