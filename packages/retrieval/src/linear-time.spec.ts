import { type Attack, slowAttacks } from '@citewell/testing/slow-attacks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  AbstentionFilter,
  alignStatements,
  AllowedLinks,
  AnalyzedQuestion,
  analyzedQuestions,
  asksForNewest,
  CitationStreamFilter,
  escapeDelimiters,
  FrameStreamFilter,
  labelText,
  LinkStreamFilter,
  parseRerankReply,
  PromptEchoFilter,
  quoteAnswers,
  quoteCitations,
  searchableNames,
  wholeDocumentQuestion,
} from './index.js';

const PASSAGE = 'From: guide.md › Fees\nThe fee is ten euro (1). See https://example.org/fees for details.';
/** As much as the context of an answer has. */
const PASSAGES = [
  { text: PASSAGE, start: 0, headingPath: ['Fees'] },
  ...['山水。', 'A fee. ', 'ab ab ', '7 of 8, '].map((text) => ({
    text: text.repeat(6_000 / text.length),
    start: 0,
    headingPath: [],
  })),
];
/** Longest answer of a model. */
const ANSWER = 400_000;
const QUESTION = new AnalyzedQuestion('What does it cost?');
const FRAME = { lines: ['From: guide.md › Fees'], passageText: PASSAGE };

interface Filter {
  push(text: string): string;
  flush(): string;
}

const FILTERS: Readonly<Record<string, () => Filter>> = {
  abstention: () => new AbstentionFilter(),
  citations: () => new CitationStreamFilter(3, PASSAGE),
  echo: () =>
    new PromptEchoFilter([{ text: `You answer the question. ${'a b '.repeat(50)}`, hasFacts: true }]),
  frame: () => new FrameStreamFilter({ ...FRAME, question: 'What does it cost?' }),
  'frame in a question about its tags': () =>
    new FrameStreamFilter({ ...FRAME, question: 'What is <passage>?' }),
  links: () => new LinkStreamFilter(new AllowedLinks([PASSAGE])),
};

/** With the longest text that each gets: of an API request, a chunk, or an answer. */
const FUNCTIONS: readonly (readonly [name: string, length: number, call: (text: string) => unknown])[] = [
  ['questions of a message', 8_192, analyzedQuestions],
  ['a question about whole documents', 8_192, wholeDocumentQuestion],
  ['a question for the newest', 8_192, (text) => [asksForNewest(text)]],
  ['the names of a document', 2_000, (name) => searchableNames({ name, customId: name })],
  ['a passage in a prompt', 20_000, (text) => [escapeDelimiters(text), labelText(text)]],
  ['the scores of a model', 20_000, (text) => parseRerankReply(text, 3)],
  ['links of a passage', 20_000, (text) => new AllowedLinks([text])],
  [
    'quotes of a passage',
    2_000,
    (text) =>
      quoteAnswers([{ question: QUESTION, numbers: [1] }], [{ text, start: 0, textAbove: text }]).answer,
  ],
  ['quotes of an answer', ANSWER, (text) => quoteCitations([QUESTION], text, PASSAGES)],
  ['support of an answer', ANSWER, (text) => alignStatements([QUESTION], text, PASSAGES)],
];

/** What begins a text, what it repeats, and its end. Each made some pattern backtrack, or a loop read all of it again. */
const ATTACKS: readonly Attack[] = [
  ['[0,資料', '\t0,ref', '出]'],
  ['[', ' ', ','],
  ['', '[\t\t\t\t\t\t\t\t', ''],
  ['', ' \t', '\0'],
  ['<passage>', ' ', 'x'],
  ['', '＜passage\tid="', '<'],
  ['', '\\<passage\n', 'x'],
  ['', '. q', ''],
  ['~~~', '~', '\u2028'],
  ['', '](', ''],
  ['', '[a](b) ](', ''],
  ['](', '()', ''],
  ['', '<', ''],
  ['', 'http://a', ''],
  ['', '&()&', '.'],
  ['* ', '\t', '!'],
  ['-A', ',=', '\t'],
  ['', '漢字。', ''],
  ['', '山水[1]。', ''],
  ['', `${'山水清音'.repeat(1_200)}\n`, ''],
  ['', 'A fee is ab ab [2] of 8, [4]. ', ''],
  ['', 'ab ab 7 8, ', '.'],
  ['', 'sum ', ''],
  ['', 'what do\t', '\n'],
  ['', '--原文\n', ''],
  ['on abcd schrieb', '\t', 'x'],
  ['', 'From: a\n', ''],
  ['', 'A. ', ''],
  ['a', '\u0301\u0323', ''],
  ['what are a', ', and', ' x?'],
  ['dass du sagen würde', ' , ', 'n?'],
  ['', '呀', '\0?'],
];

/** 20 µs per character. */
const FILTERED = { length: 6_000, limitMs: 120 };

// The product compiles its patterns before its first answer, see `AnswerWarmUp`.
beforeAll(() => void analyzedQuestions('When did it open on 4 July 2024?'));

// The time for which a hostile text blocks the event loop is the behavior.
describe('hostile text', () => {
  it.each(FUNCTIONS)('blocks the event loop for at most 50 ms in %s', async (_, length, call) => {
    expect(await slowAttacks(ATTACKS, { length, limitMs: 50 }, call)).toEqual([]);
  });

  it.each(Object.entries(FILTERS))(
    'takes at most 20 µs per character in the filter of %s',
    async (_, create) => {
      const run = (text: string, size: number): void => {
        const filter = create();
        for (let at = 0; at < text.length; at += size) filter.push(text.slice(at, at + size));
        filter.flush();
      };
      expect(await slowAttacks(ATTACKS, FILTERED, (text) => run(text, 1))).toEqual([]);
      expect(await slowAttacks(ATTACKS, FILTERED, (text) => run(text, Infinity))).toEqual([]);
    },
  );
});
