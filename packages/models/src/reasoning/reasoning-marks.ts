/** What a mark says about the text around it. */
export type MarkKind =
  /** Reasoning begins. */
  | 'begin'
  /** Reasoning ends. Without a `begin`, everything before it was reasoning. */
  | 'end'
  /** The model has no reasoning to show: `<think/>`. Or a token of the format that is no text. */
  | 'token';

export interface Mark {
  kind: MarkKind;
  /** In UTF-16 code units. */
  length: number;
  /** Ends this block, in place of the other end marks. */
  ownEnd?: RegExp;
  /** Of a format with channels, one of which is the answer. */
  isChannel?: boolean;
}

export interface FoundMark {
  index: number;
  mark: Mark;
}

/** The names that models give to their reasoning, with other words such as `seed:think` or `thought_process`. */
const NAME = String.raw`(?:[a-z][\w-]{0,15}[:_▁-])?(?:think(?:ing)?|thoughts?|reasoning|reflections?|scratchpad|monologue)(?:_\w{1,48})?`;
/** The `<|channel|>` format of gpt-oss (OpenAI's "harmony" response format). Only the channel `final` is for the reader. */
const CHANNEL =
  /(?:<\|start\|>\w{0,12}(?: to=[\w.-]{1,40})?)?<\|channel\|>\s{0,2}(\w{1,20})(?: to=[\w.-]{1,40})?(?: ?<\|constrain\|>\w{0,12}| json)?(?:\s?<\|message\|>)?/y;
/** Servers that remove special tokens leave the words between them: `analysisWe need…assistantfinalYes`. */
const JOINED = /assistant(?:final|analysis|commentary)/;
const JOINED_WORDS = ['assistantfinal', 'assistantanalysis', 'assistantcommentary'];
const JOINED_START = /analysis(?=[A-Z"“'])/y;
const TAG = new RegExp(String.raw`<\s?(\/?)\s?${NAME}(?:\s[^<>\n]{0,80})?(\/?)>`, 'iy');
/** Capitals only: `[thinking]` can be the text of a link. */
const BRACKET = /\[(\/?)(?:THINK|THINKING|REASONING)\]/y;
const TRIANGLE = new RegExp(String.raw`◁(\/?)${NAME}▷`, 'iy');
const PIPE = new RegExp(
  String.raw`<[|｜](\/|end[_▁]?(?:of[_▁]?)?)?(?:begin[_▁]?(?:of[_▁]?)?|start[_▁]?(?:of[_▁]?)?)?${NAME}[|｜]>`,
  'iy',
);
/** Gemma, Apertus and MedGemma. */
const OTHER_BEGIN = /(?:<\|channel>\w{0,12}|<\|inner_prefix\|>|<unused94>(?:thought)?)/y;
const OTHER_END = /(?:<channel\|>|<\|inner_suffix\|>|<unused95>)/y;
const DETAILS = /<details [^<>\n]{0,40}(?:reasoning|thinking)[^<>\n]{0,80}>/y;
/** What an answer has at its start only if it is reasoning: each has an end of its own. */
const START_FORMS: readonly { begin: RegExp; end: RegExp }[] = [
  {
    begin: /here(?: is|'s|’s) my thought process:/iy,
    end: /here(?: is|'s|’s) my response:/i,
  },
  {
    begin: /<(?:analysis|rationale|cot|planning|deliberation)>/iy,
    end: /<\/(?:analysis|rationale|cot|planning|deliberation)>/i,
  },
  { begin: /\[(?:think|thinking|reasoning)\](?=[^(])/y, end: /\[\/(?:think|thinking|reasoning)\]/ },
  {
    begin: /&lt;(?:think|thinking|reasoning|thought)&gt;/iy,
    end: /&lt;\/(?:think|thinking|reasoning|thought)&gt;/i,
  },
  {
    begin:
      /<details[^<>\n]{0,40}>\s{0,4}<summary>[^<>\n]{0,40}(?:think|thought|reasoning)[^<>\n]{0,40}<\/summary>/iy,
    end: /<\/details>/,
  },
  { begin: /```(?:think|thinking|thought|reasoning)\n/iy, end: /\n```[ \t]{0,4}\n/ },
];
/** Tokens around reasoning and answer that say nothing more. They count only after another mark. */
const TOKEN =
  /<\|(?:start\|>\w{0,12}(?: to=[\w.-]{1,40})?|(?:end|return|call|message|im_end|eot_id|assistant_end|END_OF_TURN_TOKEN|(?:begin|end)_of_(?:solution|box)|(?:START|END)_(?:RESPONSE|TEXT))\|>)|<\/?(?:answer|final_answer|response)>/y;

/** What may be the start of a mark, up to the end of the text. Longer texts are none. */
const PARTIAL = new RegExp(
  [
    String.raw`<\s?\/?\s?[\w:-]{0,80}`,
    String.raw`<\s?\/?\s?${NAME}(?:\s[^<>\n]{0,80}|\/)`,
    String.raw`<(?:details(?:\s[^<>\n]{0,130})?|channel\|?)`,
    String.raw`<[|｜]\/?[\w:▁-]{0,80}[|｜]?`,
    String.raw`<\|(?:channel|start)\|?>[^<\n]{0,60}(?:<\|?\w{0,12}\|?(?:>\w{0,12}(?:<\|?\w{0,12}\|?)?)?)?`,
    String.raw`\[\/?[A-Z]{0,10}`,
    String.raw`◁\/?[\w:]{0,32}`,
  ]
    .map((form) => `^${form}$`)
    .join('|'),
  'i',
);
/** What may continue the header of a channel. */
const CHANNEL_PARTIAL =
  /^(?: (?:t(?:o(?:=[\w.-]{0,40})?)?|<\|?\w{0,12}\|?>?\w{0,12}|j(?:son?)?)?|\s|\s?<\|?\w{0,8}\|?)$/;
/** GLM puts its answer into a box. */
const BOX = /<\|begin_of_box\|>/y;
/** What may continue the start of a message. */
const RECIPIENT_PARTIAL = /^(?: (?:t(?:o(?:=[\w.-]{0,40})?)?)?)?$/;
/** What may be the start of a start form, in lower case. */
const START_PARTIAL =
  /^(?:analysis|\[[a-z]{0,9}\]?|&(?:l(?:t(?:;[a-z]{0,9}(?:&(?:g(?:t)?)?)?)?)?)?|<[a-z]{0,12}|<details[^<>\n]{0,40}(?:>\s{0,4}(?:<\/?[a-z]{0,7}|<summary>[^<>\n]{0,90}(?:<\/?[a-z]{0,7})?)?)?|`{1,2}|```[a-z]{0,9})$/;
const START_WORDS = ['analysis', "here's my thought process:", 'here is my thought process:'];
/** No mark is longer. */
const MAX_LENGTH = 160;
const LOWER_BRACKET = /^\[\/?[A-Z]*[a-z]/;

/**
 * The mark at a position of the text.
 *
 * @param seen whether the answer has had a mark before
 */
export function markAt(text: string, at: number, seen: boolean): Mark | null {
  if (!'<[◁'.includes(text.charAt(at))) return null;
  const channel = matchAt(CHANNEL, text, at);
  if (channel)
    return { kind: channel[1] === 'final' ? 'end' : 'begin', length: channel[0].length, isChannel: true };
  for (const pattern of [TAG, BRACKET, TRIANGLE, PIPE]) {
    const found = matchAt(pattern, text, at);
    if (!found) continue;
    const isEmpty = pattern === TAG && found[2] === '/';
    return { kind: found[1] ? 'end' : isEmpty ? 'token' : 'begin', length: found[0].length };
  }
  const begin = matchAt(OTHER_BEGIN, text, at);
  if (begin) return { kind: 'begin', length: begin[0].length };
  const end = matchAt(OTHER_END, text, at);
  if (end) return { kind: 'end', length: end[0].length };
  const details = matchAt(DETAILS, text, at);
  if (details) return { kind: 'begin', length: details[0].length, ownEnd: /<\/details>/ };
  const token = seen ? matchAt(TOKEN, text, at) : null;
  return token && { kind: 'token', length: token[0].length };
}

/** The mark with which a whole answer can begin, and which is text elsewhere. */
export function markAtStart(text: string, at: number): Mark | null {
  const joined = matchAt(JOINED_START, text, at);
  if (joined) return { kind: 'begin', length: joined[0].length, isChannel: true };
  const box = matchAt(BOX, text, at);
  if (box) return { kind: 'token', length: box[0].length };
  for (const { begin, end } of START_FORMS) {
    const found = matchAt(begin, text, at);
    if (found) return { kind: 'begin', length: found[0].length, ownEnd: end };
  }
  return null;
}

/** Whether the start of an answer may become a mark of `markAtStart`. */
export function mayBecomeStart(text: string): boolean {
  const start = text.toLowerCase().replace('’', "'");
  return START_WORDS.some((words) => words.startsWith(start)) || START_PARTIAL.test(start);
}

/** Whether the rest of the text from a position may be the start of a mark. */
export function mayBecomeMark(text: string, at: number): boolean {
  if (!'<[◁'.includes(text.charAt(at))) return false;
  const rest = text.slice(at, at + MAX_LENGTH);
  return PARTIAL.test(rest) && !LOWER_BRACKET.test(rest);
}

/** Whether the text ends with a mark that more text would make longer. */
export function mayGrow(text: string, at: number, { length, isChannel = false }: Mark): boolean {
  if (!isChannel && text.startsWith('<|start|>', at)) return RECIPIENT_PARTIAL.test(text.slice(at + length));
  if (at + length === text.length) return isChannel;
  return isChannel && CHANNEL_PARTIAL.test(text.slice(at + length, at + length + MAX_LENGTH));
}

/** The first mark of joined words in a text without other marks. */
export function joinedMark(text: string): FoundMark | null {
  const found = JOINED.exec(text);
  if (!found) return null;
  const [word] = found;
  const kind = word.endsWith('final') ? 'end' : 'begin';
  return { index: found.index, mark: { kind, length: word.length, isChannel: true } };
}

/** How many characters at the end of a text may be the start of joined words. */
export function joinedStart(text: string): number {
  for (let length = Math.min(text.length, 18); length > 0; length -= 1)
    if (JOINED_WORDS.some((word) => word.startsWith(text.slice(-length)))) return length;
  return 0;
}

/** The last mark that ends reasoning, wherever it is. */
export function indexOfLastEnd(text: string): FoundMark | null {
  let last: FoundMark | null = null;
  for (const { index } of text.matchAll(/[<[◁]/g)) {
    const mark = markAt(text, index, false);
    if (mark?.kind === 'end') last = { index, mark };
  }
  return last;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
