import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PageNote } from './page-notes.js';
import { linesOf } from './pdf-lines.js';
import { withNotes } from './placed-notes.js';
import type { TextRun } from './text-run.js';

/** A run of 12 points, with letters of six points. */
const run = (text: string, x: number, y: number, options: Partial<TextRun> = {}): TextRun => ({
  text,
  x,
  y,
  width: text.length * 6,
  fontSize: 12,
  font: 'f1',
  isMonospaced: false,
  isRightToLeft: false,
  quarterTurns: 0,
  ...options,
});

/** A note in a box of the height of a line with baseline `y`. */
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

/** The lines with notes; cells are separated by a bar. */
const read = (runs: readonly TextRun[], notes: readonly PageNote[]): string[] =>
  linesOf(withNotes(runs, notes)).map(({ cells }) => cells.map(({ text }) => text).join(' | '));

describe('withNotes', () => {
  it('puts a field after the words at its left', () => {
    const runs = [run('Name:', 72, 700), run('Born:', 72, 680), run('The end.', 72, 600)];
    expect(read(runs, [note('1815', 200, 680), note('Ada', 200, 700)])).toEqual([
      'Name: Ada',
      'Born: 1815',
      'The end.',
    ]);
  });

  it('puts a field after the blank line that it fills', () => {
    expect(read([run('Name: ____________', 72, 700)], [note('Ada', 110, 700)])).toEqual([
      'Name: ____________ Ada',
    ]);
  });

  it('puts a field into the middle of a sentence', () => {
    const runs = [run('I,', 72, 700), run(', agree.', 220, 700)];
    expect(read(runs, [note('Ada Lovelace', 100, 700)])).toEqual(['I, Ada Lovelace | , agree.']);
  });

  it('puts fields into the gaps of one printed line', () => {
    // The reader divides a line at its gaps.
    const pieces = ['I,', '______________', ', born in', '______________', ', agree.'];
    const runs = pieces.map((text, index) => run(text, 72 + pieces.slice(0, index).join('').length * 6, 700));
    const gaps = runs.filter(({ text }) => text.startsWith('_'));
    const notes = gaps.map(({ x }, index) => note(['Ada', 'London'][index] ?? '', x + 12, 700));
    expect(read(runs, notes)).toEqual(['I,______________ Ada , born in______________ London , agree.']);
  });

  it('puts a field below the words right above it and not after a distant column', () => {
    const runs = [
      run('The first line of the other column', 72, 700),
      run('and its second line.', 72, 686),
      run('Surname', 350, 706),
    ];
    expect(read(runs, [note('Lovelace', 350, 690)])).toEqual([
      'Surname',
      'The first line of the other column',
      'Lovelace',
      'and its second line.',
    ]);
  });

  it('puts fields of a table row by row below the column names', () => {
    const runs = [run('Item', 72, 700), run('Price', 300, 700), run('Thank you.', 72, 600)];
    const notes = [
      note('Pen', 72, 680),
      note('2.00', 300, 680),
      note('Ink', 72, 660),
      note('7.50', 300, 660),
    ];
    expect(read(runs, notes)).toEqual(['Item | Price', 'Pen | 2.00', 'Ink | 7.50', 'Thank you.']);
  });

  it('puts a field of several lines below the words above it', () => {
    const runs = [run('Describe the damage.', 72, 700), run('Sign here', 72, 500)];
    const field = note('The roof\nis gone.', 72, 660, { bottom: 600, top: 690 });
    expect(read(runs, [field])).toEqual(['Describe the damage.', 'The roof', 'is gone.', 'Sign here']);
  });

  it('puts a mark beside the nearer words', () => {
    const before = [run('Yes', 72, 700), run('No', 150, 700)];
    expect(read(before, [mark('☒', 92, 700), mark('☐', 164, 700)])).toEqual(['Yes ☒ | No ☐']);
    const after = [run('Yes', 90, 700), run('No', 150, 700)];
    expect(read(after, [mark('☒', 74, 700), mark('☐', 134, 700)])).toEqual(['☒ Yes | ☐ No']);
  });

  it('puts a mark beside words that are a note themselves', () => {
    const words = note('Ada', 90, 700, { kind: 'free-text' });
    expect(read([run('Who?', 72, 730)], [mark('☒', 74, 700), words])).toEqual(['Who?', '☒ Ada']);
  });

  it('omits a mark without words beside it', () => {
    expect(read([run('Who?', 72, 730)], [mark('☐', 74, 700)])).toEqual(['Who?']);
  });

  it('separates free text from the words beside it, unless these are a label', () => {
    const paragraph = [run('The first line of a text', 72, 700), run('and its second line.', 72, 686)];
    const freeText = note('Wrong!', 400, 700, { kind: 'free-text' });
    expect(read(paragraph, [freeText]).toSorted()).toEqual([
      'The first line of a text',
      'Wrong!',
      'and its second line.',
    ]);
    expect(read([run('Name:', 72, 700)], [note('Ada', 110, 700, { kind: 'free-text' })])).toEqual([
      'Name: Ada',
    ]);
  });

  it('sorts the notes of an empty page from top to bottom', () => {
    expect(read([], [note('second', 72, 600), note('first', 72, 700)])).toEqual(['first', 'second']);
  });

  it('considers only words of the same direction', () => {
    const runs = [run('Side', 72, 700, { quarterTurns: 1 }), run('Name:', 72, 500)];
    expect(withNotes(runs, [note('Ada', 110, 500)]).map(({ text }) => text)).toEqual([
      'Side',
      'Name:',
      'Ada',
    ]);
    expect(withNotes(runs, [note('Ada', 110, 500, { quarterTurns: 1 })])).toHaveLength(3);
  });

  it('keeps all notes and the order of printed words', () => {
    const place = { x: fc.integer({ min: 0, max: 600 }), y: fc.integer({ min: 0, max: 800 }) };
    const anyRun = fc.record({ ...place, isBlank: fc.boolean() });
    const anyNote = fc.record({
      ...place,
      kind: fc.constantFrom('field', 'mark', 'free-text'),
      lines: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(anyRun), fc.array(anyNote), (somewhere, written) => {
        const runs = somewhere.map(({ x, y, isBlank }, n) => run(isBlank ? ' ' : `printed ${n}`, x, y));
        const notes = written.map(({ x, y, kind, lines }, n) =>
          kind === 'mark'
            ? mark('☐', x, y)
            : note(Array.from({ length: lines + 1 }, (_, line) => `note ${n}.${line}`).join('\n'), x, y, {
                kind,
              }),
        );
        const texts = withNotes(runs, notes).map(({ text }) => text);
        expect(texts.filter((text) => !/^note|☐/.test(text)).join('')).toEqual(
          runs.map(({ text }) => text).join(''),
        );
        expect(texts.flatMap((text) => (text.startsWith('note') ? [text.trim()] : [])).toSorted()).toEqual(
          notes.flatMap(({ kind, lines }) => (kind === 'mark' ? [] : lines)).toSorted(),
        );
      }),
    );
  });
});
