import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { notesOf } from './page-notes.js';

const BOX = { rect: [100, 200, 250, 214], annotationFlags: 4, rotation: 0 };
const TEXT = { ...BOX, subtype: 'Widget', fieldType: 'Tx' };
const CHOICE = {
  ...BOX,
  subtype: 'Widget',
  fieldType: 'Ch',
  options: [
    { exportValue: 'de', displayValue: 'Germany' },
    { exportValue: 'fr', displayValue: 'France' },
  ],
};
const BUTTON = { ...BOX, subtype: 'Widget', fieldType: 'Btn' };
const FREE_TEXT = { ...BOX, subtype: 'FreeText' };

const linesOf = (annotation: Readonly<Record<string, unknown>>): readonly string[] =>
  notesOf([annotation]).notes.flatMap(({ lines }) => lines);

const WRITTEN: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['a field', { ...TEXT, fieldValue: ' Ada ' }, ['Ada']],
  [
    'a field with its formatted value',
    { ...TEXT, fieldValue: '1234', textContent: ['1,234.00'] },
    ['1,234.00'],
  ],
  ['a field with several lines', { ...TEXT, fieldValue: 'one\r\r two\nthree' }, ['one', 'two', 'three']],
  ['a comb field', { ...TEXT, comb: true, fieldValue: 'AB 12', textContent: ['A B 1 2'] }, ['AB 12']],
  ['a field without rendered text', { ...TEXT, fieldValue: 'Ada', textContent: [''] }, ['Ada']],
  ['an empty field', { ...TEXT, fieldValue: '' }, []],
  ['a password', { ...TEXT, password: true, fieldValue: 'secret', textContent: ['******'] }, []],
  ['a hidden field', { ...TEXT, annotationFlags: 2, fieldValue: 'Ada' }, []],
  ['a field with the flag NoView', { ...TEXT, annotationFlags: 32, fieldValue: 'Ada' }, []],
  ['a choice by its display value', { ...CHOICE, fieldValue: ['de'] }, ['Germany']],
  ['several choices', { ...CHOICE, fieldValue: ['de', 'fr'] }, ['Germany, France']],
  ['a choice that is not in the list', { ...CHOICE, fieldValue: 'Spain' }, ['Spain']],
  ['no choice', { ...CHOICE, fieldValue: [''] }, []],
  ['a checked box', { ...BUTTON, checkBox: true, exportValue: 'Yes', fieldValue: 'Yes' }, ['☒']],
  ['an unchecked box', { ...BUTTON, checkBox: true, exportValue: 'Yes', fieldValue: 'Off' }, ['☐']],
  ['a selected radio button', { ...BUTTON, radioButton: true, buttonValue: '1', fieldValue: '1' }, ['☒']],
  ['another radio button', { ...BUTTON, radioButton: true, buttonValue: '2', fieldValue: '1' }, ['☐']],
  ['a push button', { ...BUTTON, pushButton: true, fieldValue: 'Send' }, []],
  ['free text', { ...FREE_TEXT, textContent: ['Paid', 'in May'] }, ['Paid', 'in May']],
  ['free text without appearance', { ...FREE_TEXT, contentsObj: { str: 'Paid', dir: 'ltr' } }, ['Paid']],
  ['a field without a rectangle', { ...TEXT, rect: [1, 2], fieldValue: 'Ada' }, []],
];

describe('notesOf', () => {
  for (const [what, annotation, lines] of WRITTEN) {
    it(`reads ${what}`, () => expect(linesOf(annotation)).toEqual(lines));
  }

  it('rotates rectangles with the text', () => {
    const [upright, rotated] = notesOf([
      { ...TEXT, fieldValue: 'Ada' },
      { ...TEXT, fieldValue: 'Ada', rotation: 90 },
    ]).notes;
    expect(upright).toMatchObject({ left: 100, right: 250, bottom: 200, top: 214, quarterTurns: 0 });
    expect(rotated).toMatchObject({
      left: 200,
      right: 214,
      bottom: -250,
      top: -100,
      quarterTurns: 1,
    });
  });

  it('separates comments, with their authors', () => {
    const { notes, comments } = notesOf([
      { ...BOX, subtype: 'Highlight', contentsObj: { str: 'Is this\nstill so?' }, titleObj: { str: 'Ada' } },
      { ...BOX, subtype: 'Popup', contentsObj: { str: 'Is this still so?' } },
      { ...BOX, subtype: 'Text', contentsObj: { str: 'No.' } },
      { ...BOX, subtype: 'Underline', contentsObj: { str: '' }, titleObj: { str: 'Ada' } },
      { ...BOX, subtype: 'Text', stateModel: 'Review', contentsObj: { str: 'Accepted set by Bo' } },
      { ...BOX, subtype: 'Link', contentsObj: { str: 'A link' } },
    ]);
    expect(notes).toEqual([]);
    expect(comments).toEqual(['[Comment by Ada] Is this still so?', '[Comment] No.']);
  });

  it('limits the notes of a page and accepts any annotation', () => {
    const many = notesOf(Array.from({ length: 5000 }, () => ({ ...TEXT, fieldValue: 'x'.repeat(1000) })));
    expect(many.notes).toHaveLength(100);
    const long = { ...TEXT, fieldValue: 'x'.repeat(100_001) };
    expect(linesOf({ ...TEXT, fieldValue: 'short' })).toEqual(['short']);
    expect(notesOf([long, { ...TEXT, fieldValue: 'short' }]).notes).toHaveLength(1);
    const keys = 'subtype|fieldType|fieldValue|textContent|rect|options|contentsObj|checkBox|rotation'.split(
      '|',
    );
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.constantFrom(...keys), fc.anything())), (annotations) => {
        notesOf(annotations.map((annotation) => ({ ...TEXT, ...annotation })));
      }),
    );
  });
});
