import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PageNote } from './page-notes.js';
import { linesOf } from './pdf-lines.js';
import { withNotes } from './placed-notes.js';
import type { TextRun } from './text-run.js';

/** Words of 12 points, six points a letter. */
const run = (text: string, x: number, y: number, options: Partial<TextRun> = {}): TextRun => ({
  text,
  x,
  y,
  width: text.length * 6,
  fontSize: 12,
  font: 'f1',
  isMonospaced: false,
  isRightToLeft: false,
  endsLine: true,
  quarterTurns: 0,
  ...options,
});

/** In a box as high as a line whose words stand on `y`. */
const note = (text: string, left: number, y: number, options: Partial<PageNote> = {}): PageNote => ({
  lines: text.split('\n'),
  left,
  right: left + 100,
  bottom: y - 3,
  top: y + 12,
  quarterTurns: 0,
  fontSize: 12,
  kind: 'field',
  ...options,
});
const mark = (text: string, left: number, y: number): PageNote =>
  note(text, left, y, { right: left + 10, kind: 'mark' });

/** What is read, line by line, a bar between cells. */
const read = (runs: readonly TextRun[], notes: readonly PageNote[]): string[] =>
  linesOf(withNotes(runs, notes)).map(({ cells }) => cells.map(({ text }) => text).join(' | '));

describe('withNotes', () => {
  it('reads a field behind the words at its left', () => {
    const runs = [run('Name:', 72, 700), run('Born:', 72, 680), run('The end.', 72, 600)];
    assert.deepEqual(read(runs, [note('1815', 200, 680), note('Ada', 200, 700)]), [
      'Name: Ada',
      'Born: 1815',
      'The end.',
    ]);
  });

  it('reads a field behind the line that it is to be written on', () => {
    assert.deepEqual(read([run('Name: ____________', 72, 700)], [note('Ada', 110, 700)]), [
      'Name: ____________ Ada',
    ]);
  });

  it('reads a field in the middle of a sentence there', () => {
    const runs = [run('I,', 72, 700, { endsLine: false }), run(', agree.', 220, 700)];
    assert.deepEqual(read(runs, [note('Ada Lovelace', 100, 700)]), ['I, Ada Lovelace | , agree.']);
  });

  it('reads fields of one printed line where its words leave room for them', () => {
    // All letters are equally wide.
    const line = run('I, ______________, born in ______________, agree.', 72, 700, { isMonospaced: true });
    const notes = [
      note('Ada', 90, 700, { right: 170 }),
      note('London', 72 + 27 * 6, 700, { right: 72 + 41 * 6 }),
    ];
    assert.deepEqual(read([line], notes), ['I, ______________, Ada born in ______________, London agree.']);
  });

  it('reads a field under the words right above it, not with another column far away', () => {
    const runs = [
      run('The first line of the other column', 72, 700),
      run('and its second line.', 72, 686),
      run('Surname', 350, 706),
    ];
    assert.deepEqual(read(runs, [note('Lovelace', 350, 690)]), [
      'The first line of the other column',
      'and its second line.',
      'Surname',
      'Lovelace',
    ]);
  });

  it('reads fields of a table row by row, under the names of its columns', () => {
    const runs = [
      run('Item', 72, 700, { endsLine: false }),
      run('Price', 300, 700),
      run('Thank you.', 72, 600),
    ];
    const notes = [
      note('Pen', 72, 680),
      note('2.00', 300, 680),
      note('Ink', 72, 660),
      note('7.50', 300, 660),
    ];
    assert.deepEqual(read(runs, notes), ['Item | Price', 'Pen | 2.00', 'Ink | 7.50', 'Thank you.']);
  });

  it('reads a field of several lines under what stands above it', () => {
    const runs = [run('Describe the damage.', 72, 700), run('Sign here', 72, 500)];
    const field = note('The roof\nis gone.', 72, 660, { bottom: 600, top: 690 });
    assert.deepEqual(read(runs, [field]), ['Describe the damage.', 'The roof', 'is gone.', 'Sign here']);
  });

  it('reads a mark with the nearer words', () => {
    const before = [run('Yes', 72, 700, { endsLine: false }), run('No', 150, 700)];
    assert.deepEqual(read(before, [mark('☒', 92, 700), mark('☐', 164, 700)]), ['Yes ☒ | No ☐']);
    const behind = [run('Yes', 90, 700, { endsLine: false }), run('No', 150, 700)];
    assert.deepEqual(read(behind, [mark('☒', 74, 700), mark('☐', 134, 700)]), ['☒ Yes | ☐ No']);
  });

  it('reads a mark with words that were written on the page, too', () => {
    const written = note('Ada', 90, 700, { kind: 'free-text' });
    assert.deepEqual(read([run('Who?', 72, 730)], [mark('☒', 74, 700), written]), ['Who?', '☒ Ada']);
  });

  it('leaves out a mark that no words are beside', () => {
    assert.deepEqual(read([run('Who?', 72, 730)], [mark('☐', 74, 700)]), ['Who?']);
  });

  it('reads a remark apart from the words beside it, unless they ask for it', () => {
    const paragraph = [run('The first line of a text', 72, 700), run('and its second line.', 72, 686)];
    const remark = note('Wrong!', 400, 700, { kind: 'free-text' });
    assert.deepEqual(read(paragraph, [remark]).toSorted(), [
      'The first line of a text',
      'Wrong!',
      'and its second line.',
    ]);
    assert.deepEqual(read([run('Name:', 72, 700)], [note('Ada', 110, 700, { kind: 'free-text' })]), [
      'Name: Ada',
    ]);
  });

  it('reads what is written on an empty page from the top', () => {
    assert.deepEqual(read([], [note('second', 72, 600), note('first', 72, 700)]), ['first', 'second']);
  });

  it('keeps to words of its own direction', () => {
    const runs = [run('Side', 72, 700, { quarterTurns: 1 }), run('Name:', 72, 500)];
    assert.deepEqual(
      withNotes(runs, [note('Ada', 110, 500)]).map(({ text }) => text),
      ['Side', 'Name:', 'Ada'],
    );
    assert.equal(withNotes(runs, [note('Ada', 110, 500, { quarterTurns: 1 })]).length, 3);
  });

  it('loses nothing, and leaves what is printed in its order', () => {
    const place = { x: fc.integer({ min: 0, max: 600 }), y: fc.integer({ min: 0, max: 800 }) };
    const anyRun = fc.record({ ...place, endsLine: fc.boolean(), isBlank: fc.boolean() });
    const anyNote = fc.record({
      ...place,
      kind: fc.constantFrom('field', 'mark', 'free-text'),
      lines: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(anyRun), fc.array(anyNote), (somewhere, written) => {
        const runs = somewhere.map(({ x, y, endsLine, isBlank }, n) =>
          run(isBlank ? ' ' : `printed ${n}`, x, y, { endsLine }),
        );
        const notes = written.map(({ x, y, kind, lines }, n) =>
          kind === 'mark'
            ? mark('☐', x, y)
            : note(Array.from({ length: lines + 1 }, (_, line) => `note ${n}.${line}`).join('\n'), x, y, {
                kind,
              }),
        );
        const texts = withNotes(runs, notes).map(({ text }) => text);
        assert.deepEqual(
          texts.filter((text) => !/^note|☐/.test(text)).join(''),
          runs.map(({ text }) => text).join(''),
        );
        assert.deepEqual(
          texts.flatMap((text) => (text.startsWith('note') ? [text.trim()] : [])).toSorted(),
          notes.flatMap(({ kind, lines }) => (kind === 'mark' ? [] : lines)).toSorted(),
        );
      }),
    );
  });
});
