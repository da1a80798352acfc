import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from './document-builder.js';
import { decodePageWords, encodePageWords, findPageWords, INDEX_LENGTH_BYTES } from './page-words.codec.js';
import { pageNumbers, type ReadWord } from './recognition.js';

const wordsOf = (texts: readonly string[], page = 1, confidence = 90): ReadWord[] =>
  texts.map((text, index) => ({
    page,
    text,
    confidence,
    left: index / 10,
    top: 0.5,
    width: 0.05,
    height: 0.02,
  }));

/** The texts at the places of the words, in the order of the words; `-` for none. */
function placed(text: string, words: readonly string[]): string[] {
  const document = new DocumentBuilder()
    .block('paragraph', 'Above.')
    .block('paragraph', text, { words: wordsOf(words) })
    .build();
  const found = document.recognized.flatMap((page) => page.words);
  return words.map((word, index) => {
    const place = found.find(({ text: read, left }) => read === word && left === index / 10);
    return place === undefined ? '-' : `${place.start} ${document.text.slice(place.start, place.end)}`;
  });
}

describe('the words of a block', () => {
  it.each<[what: string, text: string, words: string[], expected: string[]]>([
    [
      'in order',
      'the cat and the dog',
      ['the', 'cat', 'and', 'the', 'dog'],
      ['8 the', '12 cat', '16 and', '20 the', '24 dog'],
    ],
    [
      'in rows of a table',
      'Item | Total\nPump | 12',
      ['Item', 'Total', 'Pump', '12'],
      ['8 Item', '15 Total', '21 Pump', '28 12'],
    ],
    ['in cells of several lines', 'Long name | 7', ['Long', '7', 'name'], ['8 Long', '20 7', '13 name']],
    [
      'divided at the end of a line',
      'an international fee',
      ['an', 'inter-', 'national', 'fee'],
      ['8 an', '11 inter', '16 national', '25 fee'],
    ],
    ['without spaces', '夜間料金', ['夜間', '料金'], ['8 夜間', '10 料金']],
    ['from right to left', 'שלום עולם', ['עולם', 'שלום'], ['13 עולם', '8 שלום']],
    ['that the text does not have', 'Oil … 7', ['Oil', '......', '7'], ['8 Oil', '-', '14 7']],
    ['of which one is a part of another', 'cat a', ['a', 'cat'], ['12 a', '8 cat']],
  ])('are found %s', (_, text, words, expected) => expect(placed(text, words)).toEqual(expected));

  it('give the block their mean confidence by letters', () => {
    const words = [...wordsOf(['four'], 1, 100), ...wordsOf(['twoletters'], 1, 30)];
    const { blocks } = new DocumentBuilder().block('paragraph', 'four twoletters', { words }).build();
    expect(blocks[0]?.confidence).toBe(50);
  });
});

describe('the pages of a document', () => {
  function scan() {
    const builder = new DocumentBuilder().setPageCount(4);
    builder.beginPage(1).block('paragraph', 'printed text');
    builder
      .beginPage(2)
      .block('paragraph', 'the night fee', { words: wordsOf(['the', 'night', 'fee'], 2, 88) });
    builder.recognized.addUnreadable(wordsOf(['x7'], 2, 12));
    builder.recognized.setContent(2, 'recognized');
    builder.recognized.setContent(3, 'empty');
    builder.recognized.setContent(4, 'empty');
    return builder.build();
  }

  it('are ranges of what they bring to the text', () => {
    expect(scan().pages).toEqual([
      { from: 1, to: 1, content: 'text' },
      { from: 2, to: 2, content: 'recognized', confidence: 88, unreadable: 1 },
      { from: 3, to: 4, content: 'empty' },
    ]);
    expect(pageNumbers([1, 2, 3, 7])).toBe('1-3, 7');
  });

  it('have their words in one range of the encoded file', () => {
    const document = scan();
    const encoded = encodePageWords(document) ?? Buffer.alloc(0);
    const index = encoded.subarray(INDEX_LENGTH_BYTES, INDEX_LENGTH_BYTES + encoded.readUInt32LE());
    expect(findPageWords(index, 1)).toBeNull();
    const range = findPageWords(index, 2);
    const { words, unreadable } = decodePageWords(encoded.subarray(range?.start, range?.end));
    expect(words.map(({ start, end }) => document.text.slice(start, end))).toEqual(['the', 'night', 'fee']);
    expect(words[1]).toMatchObject({ left: 0.1, top: 0.5, width: 0.05, height: 0.02, confidence: 88 });
    expect(unreadable).toMatchObject([{ text: 'x7', confidence: 12 }]);
    expect(encodePageWords({ recognized: [] })).toBeNull();
  });

  it('drops words of a file that a compromised process has written', () => {
    const encoded = Buffer.from('[[["a",2,0,0,1,1,90],[0,3,0,0,20000,1,90],[0,3,0,0,1,1]],[[5,0,0,1,1,9]]]');
    expect(decodePageWords(encoded)).toEqual({ words: [], unreadable: [] });
  });
});
