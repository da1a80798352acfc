const REASONING_NOUNS = [
  'thinking',
  'thinking process',
  'thinking out loud',
  'thought',
  'thoughts',
  'thought process',
  'reasoning',
  'reasoning process',
  'reasoning steps',
  'chain of thought',
  'chain-of-thought',
  'scratchpad',
  'monologue',
];
/** Headings of reasoning, in lower case. Words such as `analysis` are left out: documents have them, too. */
const REASONING_WORDS = [
  ...['', 'my ', 'internal ', 'inner ', 'step-by-step ', 'step by step '].flatMap((adjective) =>
    REASONING_NOUNS.map((noun) => adjective + noun),
  ),
  ...listed(`denkprozess, gedankengang, gedanken, überlegung, überlegungen, nachdenken, raisonnement, réflexion, réflexions,
    pensée, pensées, razonamiento, pensamiento, pensamientos, reflexión, 思考, 思考过程, 思考過程, 思考プロセス, 推理, 推理过程,
    推論, 推論過程, 考え`),
];
const ANSWER_WORDS =
  listed(`answer, final answer, my answer, the answer, response, final response, final output, antwort,
  endgültige antwort, finale antwort, endantwort, réponse, réponse finale, respuesta, respuesta final, 回答, 最终回答,
  最終回答, 答案, 最终答案, 最終的な答え, 答え`);
/** Longest heading that is recognised, in UTF-16 code units. */
const MAX_HEADING = 60;

/** Quote and list markers, and an emoji. */
const BEFORE = String.raw`(?:>[ \t]?)?(?:\d[.)][ \t])?(?:\p{Extended_Pictographic}\uFE0F?[ \t]?)?`;
const DECORATION = /^(?:>[ \t]?)?(?:\d(?:[.)](?:[ \t])?)?)?[#*_[【 \t\p{Extended_Pictographic}\uFE0F]*/u;
/** What may follow the words of a heading that is not complete. */
const AFTER = /^[ \t]?[*_\]】]{0,3}[ \t]?[:：]?[*_]{0,3}[ \t#]*$/;

// At most 200 characters of an answer are compared: the time may be quadratic in the marks of Markdown.
const REASONING_HEADING = headingOf(REASONING_WORDS);
const ANSWER_HEADING = headingOf(ANSWER_WORDS);
/** Within a line, only words with a colon or in brackets. */
const INLINE_ANSWER = new RegExp(`^${markedWords(ANSWER_WORDS)}`, 'iu');
const HALF_EMOJI = /[\uD800-\uDBFF]$/;
const LOWER_CASE = /^[*_[【]*\p{Ll}/u;

/** Whether an answer begins with a heading of reasoning, such as `**Thinking:**`. `maybe`: more text is necessary. */
export function startsWithReasoningHeading(start: string, isEnd: boolean): 'yes' | 'no' | 'maybe' {
  const line = headingLine(start, 0, isEnd);
  if (line !== null) return REASONING_HEADING.test(line) ? 'yes' : 'no';
  if (HALF_EMOJI.test(start)) return 'maybe';
  const words = start.replace(DECORATION, '').toLowerCase();
  const isPossible = REASONING_WORDS.some(
    (heading) =>
      heading.startsWith(words) || (words.startsWith(heading) && AFTER.test(words.slice(heading.length))),
  );
  if (isPossible) return 'maybe';
  return REASONING_HEADING.test(start) ? 'yes' : 'no';
}

/**
 * The length of the heading of an answer at a position, such as `**Final answer:**`; 0 if there is none, and null if more
 * text is necessary.
 *
 * @param isLineStart whether only white space is before it on its line
 */
export function answerHeadingAt(
  text: string,
  at: number,
  { isLineStart, isEnd }: { isLineStart: boolean; isEnd: boolean },
): number | null {
  const line = headingLine(text, at, isEnd);
  if (line === null) return null;
  if (isLineStart) return ANSWER_HEADING.exec(line)?.[0].length ?? 0;
  return LOWER_CASE.test(line) ? 0 : (INLINE_ANSWER.exec(line)?.[0].length ?? 0);
}

/** The first heading of an answer at the start of a line; null if there is none. */
export function firstAnswerHeading(text: string): { index: number; length: number } | null {
  for (const { index } of text.matchAll(/^(?=\S)/gm)) {
    const length = answerHeadingAt(text, index, { isLineStart: true, isEnd: true });
    if (length) return { index, length };
  }
  return null;
}

/** The first characters of a line, with its end if that is among them; null if more text is necessary. */
function headingLine(text: string, at: number, isEnd: boolean): string | null {
  const window = text.slice(at, at + MAX_HEADING);
  const end = window.indexOf('\n');
  if (end >= 0) return window.slice(0, end + 1);
  if (window.length === MAX_HEADING) return window;
  return isEnd ? `${window}\n` : null;
}

function headingOf(words: readonly string[]): RegExp {
  const any = anyOf(words);
  const bold = String.raw`[*_]{1,3}${BEFORE}${any}[*_]{1,3}[ \t]*(?=\n)`;
  const title = String.raw`#{1,6}[ \t]+${BEFORE}[*_]{0,3}${any}[*_]{0,3}[ \t]?[:：]?[*_]{0,3}[ \t#]*(?=\n)`;
  // At most MAX_HEADING characters: see `headingLine`.
  return new RegExp(
    String.raw`^${BEFORE}(?:${title}|(?:#{1,6}[ \t]+)?(?:${bold}|${markedWords(words)}))`,
    'iu',
  );
}

function markedWords(words: readonly string[]): string {
  const any = anyOf(words);
  const colon = '[ \t]?[:：]';
  return String.raw`(?:[*_]{1,3}${BEFORE}${any}(?:${colon}[ \t]?[*_]{1,3}|[*_]{1,3}${colon})|${any}${colon}|[\[【]${any}[\]】]${colon}?)`;
}

function anyOf(words: readonly string[]): string {
  return `(?:${[...words].sort((a, b) => b.length - a.length).join('|')})`;
}

function listed(words: string): string[] {
  return words.split(/,\s+/);
}
