import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameStreamFilter } from './frame-stream.filter.js';

const LINES = ['From: guide.md › Fees', 'Question: What does it cost?'];

function filtered(pieces: readonly string[], passageText = '', question = 'What does it cost?'): string {
  const filter = new FrameStreamFilter({ lines: LINES, question, passageText });
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

const CASES: readonly (readonly [name: string, answer: string, text: string])[] = [
  [
    'a repeated passage',
    '[1]\n<passage>\nFrom: guide.md › Fees\nTen euro.\n</passage>\nSo ten.',
    '[1]\nTen euro.\nSo ten.',
  ],
  ['a tag within a line', 'It is <passage>ten</passage> euro.', 'It is ten euro.'],
  ['tags in other spellings', '< Passage >\nTen.\n</ passage>', 'Ten.\n'],
  ['a label alone', 'From: guide.md › Fees\nTen euro.', 'Ten euro.'],
  ['the line of the question at the end', 'Ten euro.\nQuestion: What does it cost?', 'Ten euro.\n'],
  ['a changed label below a tag', '<passage>\nFrom: guide › Prices\nTen euro.', 'Ten euro.'],
  ['tags with attributes', '<passage id="1">\nTen.\n<passage 2>\n<passage number=3/>x', 'Ten.\nx'],
  ['escaped tags', '&lt;passage&gt;\nTen.\n&lt;/passage&gt;\n\\<passage\\>a &#60;/passage&#62;', 'Ten.\na '],
  ['full-width tags', '＜passage＞Ten.', 'Ten.'],
  ['tags in code', '```xml\n<passage>\nTen.\n</passage>\n```', '```xml\nTen.\n```'],
  ['a tag without its end', 'a <passage\n</passage\nTen.', 'a \nTen.'],
  ['a tag without its end before another one', 'a </passage 1</passage 1>\nTen.', 'a </passage 1\nTen.'],
  ['a tag that is cut', 'Ten.</passa', 'Ten.'],
  ['a tag with its number that is cut', 'Ten.\n<passage 2', 'Ten.\n'],
  ['a label in other case and marks', '> **from: GUIDE.md  › Fees**\nTen.', 'Ten.'],
  ['a label in quotes', 'The passage is: "From: guide.md › Fees"\nTen.', 'The passage is:\nTen.'],
  ['a label after a citation', '[1] From: guide.md › Fees\nTen.', '[1]\nTen.'],
  ['a label that is cut', 'Ten.\nFrom: guide.md ›', 'Ten.\n'],
  ['the question in other words', 'Ten.\n\nQuestion: What does it all cost?\nx', 'Ten.\n\nx'],
  ['the question after a sentence', 'Ten euro. **Question:** What does it cost?', 'Ten euro.'],
  ['the question after bold text', '**Ten.** Question: What does it cost?', '**Ten.**'],
  ['the question that is cut', 'Ten.\nQuestion: What', 'Ten.\n'],
  [
    'no other question',
    'Question: Which fees are there?\nAnswer: Ten.',
    'Question: Which fees are there?\nAnswer: Ten.',
  ],
  [
    'no question in a sentence',
    'An open question: what does it cost?',
    'An open question: what does it cost?',
  ],
  ['no words of the frame', 'Questions from guide.md\nFrom', 'Questions from guide.md\nFrom'],
  ['no ends of other tags', 'a <p>b</p> </pa', 'a <p>b</p> </pa'],
  ['no other escapes', 'a &lt; b &amp; c \\ d & &', 'a &lt; b &amp; c \\ d & &'],
  ['no sentence below a tag', '<passage>\nFresh.\nFrom: here.', 'Fresh.\nFrom: here.'],
  ['no sentence about a document', 'From: guide.md we know the fee.', 'From: guide.md we know the fee.'],
  ['no other lines', 'From: Berlin to Rome\nQuestion: which?', 'From: Berlin to Rome\nQuestion: which?'],
  ['no other tags', '<passages> a < b <pass>', '<passages> a < b <pass>'],
  ['no blank lines', 'One.\n\nTwo.\n', 'One.\n\nTwo.\n'],
];

describe('FrameStreamFilter', () => {
  it.each(CASES)('removes %s', (_, answer, text) => {
    expect(filtered([answer])).toBe(text);
    expect(filtered([...answer])).toBe(text);
  });

  const BOTH = 'Use `<passage>` and </passage>:\n```\n<passage>\n```\n<passage>\nTen.\n</passage>\n`<passage';
  it.each([
    ['the question', '', 'What does `<passage>` do?'],
    ['a document', 'Write ‹passage> here.', 'How do I mark it?'],
  ])('removes only tags alone on their lines if %s is about them', (_, passageText, question) => {
    const text = 'Use `<passage>` and </passage>:\n```\n<passage>\n```\nTen.\n`<passage';
    expect(filtered([BOTH], passageText, question)).toBe(text);
    expect(filtered([...BOTH], passageText, question)).toBe(text);
  });

  it('keeps a line that a document has', () => {
    const answer = 'Question: What does it cost?\nAnswer: Ten.';
    expect(filtered([answer], `[1]\nx\n${answer}`)).toBe(answer);
  });

  it('returns the same text however the answer is split', () => {
    const part = fc.constantFrom(
      '<',
      '/',
      'passage',
      '>',
      ' ',
      '\n',
      'From: guide.md',
      ' › Fees',
      'x',
      '<pass',
      'age>',
      '[1]',
      '<passage>',
      '</passage 1',
      '&lt;',
      '&gt;',
      '\\',
      '"',
      '. ',
      '**',
      '- ',
      '```',
      'Question: ',
      'what ',
      'does it cost?',
      '>',
    );
    const mentions = fc.constantFrom('', '‹passage>');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }),
        fc.array(fc.nat(90)),
        mentions,
        (parts, cuts, passageText) => {
          const answer = parts.join('');
          const bounds = [
            0,
            ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b),
            answer.length,
          ];
          const pieces = bounds.slice(1).map((end, n) => answer.slice(bounds[n], end));
          expect(filtered(pieces, passageText)).toBe(filtered([answer], passageText));
          expect(filtered([...answer], passageText)).toBe(filtered([answer], passageText));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
