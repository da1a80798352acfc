import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerFramer, DONE_FRAME, errorFrame, responseFrames, type TextFilter } from './answer-frames.js';

/** The data of each frame, parsed as the HTML standard requires. */
function dataOf(frames: string): string[] {
  return frames
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) =>
      frame
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length))
        .join('\n'),
    );
}

const UNCHANGED: TextFilter = { push: (text) => text, flush: () => '' };

function frameAll(pieces: string[]): { data: string[]; text: string } {
  const framer = new AnswerFramer(UNCHANGED);
  const frames = pieces.map((piece) => framer.push(piece)).join('') + framer.flush();
  return { data: dataOf(frames), text: framer.text };
}

describe('AnswerFramer', () => {
  it('buffers the last character so that no frame begins with a newline', () => {
    const framer = new AnswerFramer(UNCHANGED);
    expect(dataOf(framer.push('one'))).toEqual(['on']);
    expect(dataOf(framer.push('\n\n'))).toEqual([]);
    expect(dataOf(framer.push('two'))).toEqual(['e\n\ntw']);
    expect(dataOf(framer.flush())).toEqual(['o']);
    expect(framer.text).toBe('one\n\ntwo');
  });

  it('replaces CR and CRLF with LF, also when a piece ends between CR and LF', () => {
    expect(frameAll(['a\r', '\nb\rc\r\n', 'd\r', 'e']).text).toBe('a\nb\nc\nd\ne');
  });

  it('passes text through its filter, also what the filter holds back', () => {
    const framer = new AnswerFramer({ push: (text) => text.toUpperCase(), flush: () => '!' });
    expect(dataOf(framer.push('a\r') + framer.push('\nb') + framer.flush()).join('')).toBe('A\nB!');
    expect(framer.text).toBe('A\nB!');
  });

  it('joins a surrogate pair that arrives in two pieces', () => {
    const { data, text } = frameAll(['x\ud83d', '\ude00y']);
    expect(text).toBe('x😀y');
    expect(data.every((frame) => frame.isWellFormed())).toBe(true);
  });

  it('splits text that a client would read as the end of the stream', () => {
    expect(frameAll(['[ERROR] x y']).data.join('')).toEqual('[ERROR] x y');
    for (const text of ['[DONE]', ' [DONE] ', '[ERROR] x', '[DONE]\n[ERROR] x', '[ERROR]']) {
      const framer = new AnswerFramer(UNCHANGED);
      const data = dataOf(framer.push(text) + framer.push('') + framer.flush());
      expect(data.join('')).toBe(text);
      for (const frame of data) {
        expect(frame.trim()).not.toBe('[DONE]');
        expect([frame, frame.trim().startsWith('[ERROR]')]).toEqual([frame, false]);
      }
    }
  });

  it('preserves any text, however it is divided into pieces', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\r', '\r\n', '[DONE]', '[ERROR] x', '[', '\ud83d', '\ude00', '%0A', '中文', ''),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { data, text } = frameAll(pieces);
        const normalised = pieces.join('').replace(/\r\n?/g, '\n').replaceAll('\0', '');
        const expected = normalised.replace(/^\n+/, '').toWellFormed();
        expect(text).toBe(expected);
        expect(data.join('')).toBe(expected);
        for (const frame of data) {
          expect(frame.startsWith('\n')).toBe(false);
          expect(frame).not.toBe('');
          expect(frame.isWellFormed()).toBe(true);
          expect(frame.trim()).not.toBe('[DONE]');
          expect(frame.startsWith('[ERROR]')).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the last frames of a stream', () => {
  it('have no event name', () => {
    expect(DONE_FRAME).toBe('data: [DONE]\n\n');
    expect(errorFrame('RATE_LIMIT', 'slow\ndown')).toBe('data: [ERROR] RATE_LIMIT: slow down\n\n');
  });

  it('split a long response so that their data joins to its JSON', () => {
    const response = { answer: '😀[DONE]\n'.repeat(9_000) };
    const data = dataOf(responseFrames(response));
    expect(data.length).toBeGreaterThan(2);
    expect(JSON.parse(data.join(''))).toEqual(response);
  });
});
