// The tags that fence passages in the prompt, in the spellings of models.

// White space and attributes are bounded, so that the time is linear. For the same reason the patterns that end with `$` are
// compared with the last MAX_FRAME_TAG characters of a text only.

/** No tag is longer, in UTF-16 code units. */
const MAX_FRAME_TAG = 160;
const OPENER = String.raw`(?:\\?<|&(?:lt|#60);|＜)\s{0,4}[/／]?\s{0,4}`;
const NUMBER = String.raw`[\s:_#-]{0,4}["'[(]?\d{1,4}["'\])]?`;
const ATTRIBUTES = String.raw`\s{1,4}[\w-]{1,20}\s?=[^<>＜＞&\n]{0,80}`;
const BODY = String.raw`${OPENER}passage(?:${NUMBER}|${ATTRIBUTES})?\s{0,4}/?\s{0,4}`;
const COMPLETE = String.raw`${BODY}(?:\\?>|&(?:gt|#62);|＞)`;

/** A tag, such as `<passage>`, `</ Passage>`, `<passage id="1">` or `&lt;passage&gt;`. */
export const FRAME_TAG = new RegExp(COMPLETE, 'giu');
/** A line that is a tag. */
export const FRAME_TAG_LINE = new RegExp(String.raw`^\s*${COMPLETE}\s*$`, 'iu');
/** A tag without its end at the end of a line. */
export const OPEN_FRAME_TAG = new RegExp(`${BODY}$`, 'iu');
/** A tag that the end of the answer cuts. */
export const CUT_FRAME_TAG = new RegExp(
  String.raw`(?:${BODY}(?:\\|&(?:g|gt|#6?)?|&#62)?|${OPENER}pas(?:s(?:ag?)?)?)$`,
  'iu',
);
/** What may be the start of a tag at the end of a text. */
export const FRAME_TAG_START = new RegExp(
  String.raw`(?:\\|&(?:l|lt|#6?|#60)?|${OPENER}(?:p(?:a(?:s(?:s(?:ag?)?)?)?)?|passage[^<>＜＞&\n]{0,120}(?:&(?:g|gt|#6?|#62)?)?)?)$`,
  'iu',
);
/** Such a tag in a question, or as it is escaped in a passage. */
const MENTION = /[<＜‹]\s{0,4}[/／]?\s{0,4}passage(?!\p{L})|&lt;\/?passage/iu;

/** Where a tag at the end of a text begins, by one of the patterns that end with `$`; -1 without one. */
export function startOfLastTag(text: string, pattern: RegExp): number {
  const from = Math.max(0, text.length - MAX_FRAME_TAG);
  const index = text.slice(from).search(pattern);
  return index < 0 ? -1 : from + index;
}

/** Whether the question, or a document, is about such tags. */
export function mentionsFrameTag(question: string, passageText: string): boolean {
  return MENTION.test(question) || /‹[\s\p{Cf}/／]*p[\p{Cf}]*assage/iu.test(passageText);
}
