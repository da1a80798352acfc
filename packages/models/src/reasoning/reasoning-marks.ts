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
const NAME = String.raw`(?:[a-z][\w-]{0,15}[:_▁-])?(?:(?:ant)?think(?:ing)?|thoughts?|reasoning|reflections?|scratch_?pad|monologue|思考|推理)(?:_\w{1,48}|过程|過程)?`;
/** A name such as `end_of_thought` or `think_end` ends reasoning without a slash. */
const END_NAME = /^\S{1,40}?(?:\b|_|▁)end(?:\b|_|▁)/i;
/** The `<|channel|>` format of gpt-oss (OpenAI's "harmony" response format). Only the channel `final` is for the reader. */
const CHANNEL =
  /(?:<\|start\|>\w{0,12}(?: to=[\w.-]{1,40})?)?<\|channel\|>\s{0,2}(\w{1,20})(?: to=[\w.-]{1,40})?(?: ?<\|constrain\|>\w{0,12}| json)?(?:\s?<\|message\|>)?/y;
/** Servers that remove special tokens leave the words between them: `analysisWe need…assistantfinalYes`. */
const JOINED = /assistant(?:final|analysis|commentary)/;
const JOINED_WORDS = ['assistantfinal', 'assistantanalysis', 'assistantcommentary'];
const JOINED_START = /analysis(?=[A-Z"“'])/y;
const TAG = new RegExp(String.raw`[<＜]\s?(\\?\/|\\)?\s?${NAME}(?:\s[^<>＜＞\n]{0,80})?(\/?)[>＞]`, 'iy');
/** Only the end: in braces, a name can be a placeholder. */
const BRACES_END = new RegExp(String.raw`\{\/${NAME}\}|\{\{\/${NAME}\}\}`, 'iy');
/** Capitals only: `[thinking]` can be the text of a link. */
const BRACKET =
  /\[(\/|END_(?:OF_)?)?(?:(?:BEGIN|START)_(?:OF_)?)?(?:THINK|THINKING|THOUGHT|REASONING)(?:_(?:START|END))?\]/y;
const TRIANGLE = new RegExp(String.raw`◁(\/)?${NAME}▷`, 'iy');
const PIPE = new RegExp(
  String.raw`<[|｜](\/|end[_▁]?(?:of[_▁]?)?)?(?:begin[_▁]?(?:of[_▁]?)?|start[_▁]?(?:of[_▁]?)?)?${NAME}[|｜]>`,
  'iy',
);
/** Gemma, Apertus, MedGemma and Gemini, and what Cohere's models send to a tool. */
const OTHER_BEGIN =
  /(?:<\|channel>\w{0,12}|<\|inner_prefix\|>|<\|START_ACTION\|>|<(?:unused|ctrl)94>(?:thought)?)/y;
const OTHER_END = /(?:<channel\|>|<\|inner_suffix\|>|<\|END_ACTION\|>|<(?:unused|ctrl)95>)/y;
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
  {
    begin: /(?:> ?)?\*{1,2}(?:thinking|reasoning)(?:\.{3}|…|:)?\*{1,2}:?[ \t]{0,3}\n{1,2}(?=>)/iy,
    end: /\n[ \t]{0,3}\n[ \t]{0,3}(?=[^>\s])/,
  },
];
const WRAPPER = '(?:answer|final_answer|response|output|solution)';
/** What an answer is wrapped in. After a mark, it is dropped at the start of the answer. */
const WRAPPER_BEGIN = new RegExp(`<${WRAPPER}>`, 'iy');
/** Where reasoning without an end mark ends: at the start of a line. */
const ANSWER_BEGIN = new RegExp(String.raw`<${WRAPPER}>|\[(?:FINAL_)?(?:ANSWER|RESPONSE)\]`, 'y');
const WRAPPER_END = new RegExp(`</${WRAPPER}>`, 'gi');
/** The start of an answer whose end decides about it. In braces, a name can be a placeholder. */
const UNDECIDED_START = new RegExp(String.raw`^(?:<${WRAPPER}>|\{{1,2}${NAME}\}{1,2})`, 'i');
/** Tokens around reasoning and answer that say nothing more. They count only after another mark. */
const TOKEN =
  /<\|(?:start\|>\w{0,12}(?: to=[\w.-]{1,40})?|(?:end|return|call|message|im_end|eot_id|assistant_end|END_OF_TURN_TOKEN|(?:begin|end)_of_(?:solution|box)|(?:START|END)_(?:RESPONSE|TEXT))\|>)|<\/(?:answer|final_answer|response|output|solution)>|\[\/(?:FINAL_)?(?:ANSWER|RESPONSE)\]/y;

/** The characters with which marks begin. */
const MARK_STARTS = '<＜[◁{';

/** What may be the start of a mark, up to the end of the text. Longer texts are not the start of a mark. */
const PARTIAL = new RegExp(
  [
    String.raw`[<＜]\s?\\?\/?\s?[\w:▁思考推理过過程-]{0,80}`,
    String.raw`[<＜]\s?\\?\/?\s?${NAME}(?:\s[^<>＜＞\n]{0,80}|\/)`,
    String.raw`\{{1,2}(?:\/[\w:▁思考推理过過程-]{0,80}\}?)?`,
    String.raw`<(?:details(?:\s[^<>\n]{0,130})?|channel\|?)`,
    String.raw`<[|｜]\/?[\w:▁-]{0,80}[|｜]?`,
    String.raw`<\|(?:channel|start)\|?>[^<\n]{0,60}(?:<\|?\w{0,12}\|?(?:>\w{0,12}(?:<\|?\w{0,12}\|?)?)?)?`,
    String.raw`\[\/?[A-Z][A-Z_]{0,24}`,
    String.raw`\[\/?`,
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
  /^(?:analysis|(?:> ?)?\*{1,2}[a-z]{0,9}[.…]{0,3}:?\*{0,2}:?[ \t]{0,3}\n{0,2}|\{{1,2}[a-z_]{0,24}\}{0,2}|\[[a-z]{0,9}\]?|&(?:l(?:t(?:;[a-z]{0,9}(?:&(?:g(?:t)?)?)?)?)?)?|<[a-z_]{0,14}|<details[^<>\n]{0,40}(?:>\s{0,4}(?:<\/?[a-z]{0,7}|<summary>[^<>\n]{0,90}(?:<\/?[a-z]{0,7})?)?)?|`{1,2}|```[a-z]{0,9})$/;
const START_WORDS = ['analysis', "here's my thought process:", 'here is my thought process:'];
/** No mark is longer. */
const MAX_LENGTH = 160;
const LOWER_BRACKET = /^\[\/?[A-Z_]*[a-z]/;

/**
 * The mark at a position of the text.
 *
 * @param seen whether the answer has had a mark before
 */
export function markAt(text: string, at: number, seen: boolean): Mark | null {
  if (!MARK_STARTS.includes(text.charAt(at))) return null;
  const channel = matchAt(CHANNEL, text, at);
  if (channel)
    return { kind: channel[1] === 'final' ? 'end' : 'begin', length: channel[0].length, isChannel: true };
  for (const pattern of [TAG, BRACKET, TRIANGLE, PIPE]) {
    const found = matchAt(pattern, text, at);
    if (!found) continue;
    const isEmpty = pattern === TAG && found[2] === '/';
    const isEnd = found[1] !== undefined || END_NAME.test(found[0]);
    return { kind: isEnd ? 'end' : isEmpty ? 'token' : 'begin', length: found[0].length };
  }
  const begin = matchAt(OTHER_BEGIN, text, at);
  if (begin) return { kind: 'begin', length: begin[0].length };
  const end = matchAt(OTHER_END, text, at) ?? matchAt(BRACES_END, text, at);
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

/** The length of what wraps an answer, at its start after a mark; 0 if there is none. */
export function wrapperAt(text: string, at: number): number {
  return matchAt(WRAPPER_BEGIN, text, at)?.[0].length ?? 0;
}

/** The length of what begins an answer in reasoning without an end mark; 0 if there is none. */
export function answerBeginAt(text: string, at: number): number {
  return matchAt(ANSWER_BEGIN, text, at)?.[0].length ?? 0;
}

/** An answer without the tags around the whole of it. */
export function unwrapped(text: string): string {
  const start = text.length - text.trimStart().length;
  const length = wrapperAt(text, start);
  const name = text.slice(start + 1, start + length).toLowerCase();
  const [end] = [...text.matchAll(WRAPPER_END)].filter(([tag]) => tag.slice(2).toLowerCase() === name);
  if (length === 0 || !end || text.slice(end.index + end[0].length).trim() !== '') return text;
  return text.slice(0, start) + text.slice(start + length, end.index).trim();
}

/** Whether only the end of an answer shows if its start is text. */
export function isUndecidedStart(text: string): boolean {
  return UNDECIDED_START.test(text);
}

/** Whether the start of an answer may become a mark of `markAtStart`. */
export function mayBecomeStart(text: string): boolean {
  const start = text.toLowerCase().replace('’', "'");
  return START_WORDS.some((words) => words.startsWith(start)) || START_PARTIAL.test(start);
}

/** Whether the rest of the text from a position may be the start of a mark. */
export function mayBecomeMark(text: string, at: number): boolean {
  if (!MARK_STARTS.includes(text.charAt(at))) return false;
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
  for (const { index } of text.matchAll(/[<＜[◁{]/g)) {
    const mark = markAt(text, index, false);
    if (mark?.kind === 'end') last = { index, mark };
  }
  return last;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
