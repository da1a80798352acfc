import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CitationStreamFilter } from './citation-stream.filter.js';
import { extractCitations } from './extract-citations.fixtures.js';

const cases: readonly [name: string, answer: string, text: string, cited: number[]][] = [
  ['keeps valid numbers', 'A [1]. B [3].', 'A [1]. B [3].', [1, 3]],
  ['splits lists', 'A [1, 2][3].', 'A [1][2][3].', [1, 2, 3]],
  ['expands ranges', 'A [1-3], B [2–3].', 'A [1][2][3], B [2][3].', [1, 2, 3]],
  ['reads full-width brackets', '答案【1】和［2］，【1、3】。', '答案[1]和[2]，[1][3]。', [1, 2, 3]],
  ['removes invalid numbers', 'A [7]. B [0] c[99] d.', 'A. B c d.', []],
  ['removes invalid numbers of a list', 'A [1, 7].', 'A [1].', [1]],
  ['limits ranges to valid numbers', 'A [2-9999].', 'A [2][3].', [2, 3]],
  ['removes invalid numbers at the start of a line', '[9] A\n[9] B', 'A\nB', []],
  ['returns numbers in order of first citation', '[3] [1] [3]', '[3] [1] [3]', [3, 1]],
  ['does not change inline code', 'use `a[1]` and ``b[9]`c`` [1]', 'use `a[1]` and ``b[9]`c`` [1]', [1]],
  ['ends unclosed inline code with its line', 'a ` b [9]\nc [9] [1]', 'a ` b [9]\nc [1]', [1]],
  ['does not change fenced code', '```js\na[9] = b[1]\n```\nc [1][9]', '```js\na[9] = b[1]\n```\nc [1]', [1]],
  ['does not change tilde fences', '~~~\na[9]\n~~~ x\n~~~\n[2]', '~~~\na[9]\n~~~ x\n~~~\n[2]', [2]],
  [
    'closes a fence only with one of at least its length',
    '````\n```\n[9]\n````\n[9]x',
    '````\n```\n[9]\n````\nx',
    [],
  ],
  ['treats three backticks within a line as inline code', '```a[9]``` [9]b', '```a[9]```b', []],
  ['does not change an unclosed fence', '```\n[9]', '```\n[9]', []],
  ['reads a link with a number as a citation', 'A [1](https://a.example).', 'A [1](https://a.example).', [1]],
  [
    'does not change other brackets',
    '[a] [1a] [] [-] [12345] [1,] \\[x\\]',
    '[a] [1a] [] [-] [12345] [1,] \\[x\\]',
    [],
  ],
  ['does not change unfinished markers', 'a [1', 'a [1', []],
  ['does not create a marker by removing one', '[[9]1] [1[9]]', '[(9)1] [1(9)]', []],
  ['recognises a fence after a removed marker', '[9]```\na[9]\n```\n[1]', '```\na[9]\n```\n[1]', [1]],
  ['does not create a fence by removing a marker', '~~[9]~ [1]', '~~(9)~ [1]', [1]],
  ['does not change long lists of commas', `[${', '.repeat(30)}!`, `[${', '.repeat(30)}!`, []],
  ['reads footnotes', 'A [^1]. B[^2][^3].', 'A [1]. B[2][3].', [1, 2, 3]],
  [
    'reads labels',
    'A [Source 1]. B [source: 2, Source 3]. C [citation:2] [Quelle 1].',
    'A [1]. B [2][3]. C [2] [1].',
    [1, 2, 3],
  ],
  ['reads labels in round brackets', 'A (Source 1), B (passages 2, 3) c.', 'A [1], B [2][3] c.', [1, 2, 3]],
  ['reads daggers', 'A【1†source】. B 【2:0†source】 C 【3†L1-L4】.', 'A[1]. B [2] C [3].', [1, 2, 3]],
  ['removes such forms without a passage', 'A [^9]. B [Source 7]. C【8†source】.', 'A. B. C.', []],
  [
    'reads round brackets after a statement',
    'A (1). B years (2), c (3)\n表です（1）。“X.”(2)',
    'A [1]. B years [2], c [3]\n表です[1]。“X.”[2]',
    [1, 2, 3],
  ],
  ['reads lists in round brackets', 'A (1, 2). B (1)(3).', 'A [1][2]. B [1][3].', [1, 2, 3]],
  [
    'does not change other round brackets',
    'f(1). (1) Open, (2) close. In (3) steps, three (3) years (4). Rated (1-3). (x) (12)',
    'f(1). (1) Open, (2) close. In (3) steps, three (3) years (4). Rated (1-3). (x) (12)',
    [],
  ],
  [
    'reads superscripts after words',
    'It lasts years¹. B.² “C”³ 两年¹。',
    'It lasts years[1]. B.[2] “C”[3] 两年[1]。',
    [1, 2, 3],
  ],
  ['reads superscripts of several numbers', 'A years¹² end.', 'A years[1][2] end.', [1, 2]],
  [
    'does not change exponents',
    '5 m², 10³, x², sin² x, km², 3 metres², years⁹, E=mc²',
    '5 m², 10³, x², sin² x, km², 3 metres², years⁹, E=mc²',
    [],
  ],
  ['does not change overlong markers', `[${' '.repeat(100)}1]`, `[${' '.repeat(100)}1]`, []],
];

/** Arbitrary text with many markers, code delimiters and fragments of them. */
const answers = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'[]【】()`~ \n123,-'),
      fc.constantFrom(
        '[1]',
        '[2, 9]',
        '[[9]',
        '[1[9]',
        '[9](',
        '[^2]',
        '[Source ',
        '【3†source】',
        '(2)',
        '(1',
        '²',
        'years',
        '[',
        '[9]',
        ' [1-3]',
        '```',
        '\n```\n',
        'word',
        '表',
        '😀',
        '> ',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((parts) => parts.join(''));

describe('extractCitations', () => {
  for (const [name, answer, text, cited] of cases) {
    it(name, () => expect(extractCitations(answer, 3)).toEqual({ text, cited }));
  }

  it('does not change marks that the passages contain', () => {
    const answer = 'As shown in (2). The rate¹ is 5 [1], see [Note 7] and [^2].';
    expect(extractCitations(answer, 3, 'shown in (2). The rate¹ see [Note 7] and [^2]')).toEqual({
      text: answer,
      cited: [1],
    });
    expect(extractCitations(answer, 3)).toEqual({
      text: 'As shown in [2]. The rate[1] is 5 [1], see and [2].',
      cited: [2, 1],
    });
  });

  it('reports every citation that is left in its text', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { text, cited } = extractCitations(answer, 3);
        expect(cited.every((number) => number >= 1 && number <= 3)).toBe(true);
        // Marks that stay as they are, such as `(1)`, may be read as citations beside the normalised ones.
        expect(new Set(extractCitations(text, 3, text).cited)).toEqual(new Set(cited));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('CitationStreamFilter', () => {
  it('returns the same text however the answer is split', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(300)), (answer, cuts) => {
        const filter = new CitationStreamFilter(3);
        const bounds = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length];
        let text = '';
        for (let i = 1; i < bounds.length; i++) text += filter.push(answer.slice(bounds[i - 1], bounds[i]));
        text += filter.flush();
        expect({ text, cited: [...filter.cited] }).toEqual(extractCitations(answer, 3));
      }),
      { numRuns: 2_000 },
    );
  });

  it('buffers at most a space and a marker', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const filter = new CitationStreamFilter(9_999);
        let shown = 0;
        for (const [index, char] of [...answer].entries()) {
          shown += filter.push(char).length;
          const given = [...answer].slice(0, index + 1).join('');
          if (!/[\d[【［(（⁰¹²³⁴-⁹]/.test(given)) expect(given.length - shown).toBeLessThanOrEqual(1);
        }
      }),
    );
    const filter = new CitationStreamFilter(1);
    expect(filter.push(`[${'1'.repeat(1_000)}`).length).toBeGreaterThanOrEqual(1_000 - 64);
  });

  it('returns text immediately and buffers an unfinished marker', () => {
    const filter = new CitationStreamFilter(12);
    expect(filter.push('yes [1')).toBe('yes');
    expect(filter.push('2')).toBe('');
    expect(filter.push(']')).toBe('');
    expect(filter.push('.')).toBe(' [12].');
    expect(filter.flush()).toBe('');
  });
});
