import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANSWER_EVENTS, DONE_FRAME, errorFrame, responseFrames } from './answer-frames.js';
import { AnswerText, type TextFilter } from './answer-filters.js';

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

function frameAll(deltas: string[]): { data: string[]; text: string } {
  const answer = new AnswerText(UNCHANGED);
  const pieces = [...deltas.map((delta) => answer.push(delta)), answer.flush()];
  const frames = pieces.filter((piece) => piece !== '').map((piece) => ANSWER_EVENTS.text(piece));
  return { data: dataOf(frames.join('')), text: answer.text };
}

describe('the frames of an answer', () => {
  it('do not begin with a newline: the last character is buffered', () => {
    const answer = new AnswerText(UNCHANGED);
    expect(answer.push('one')).toBe('on');
    expect(answer.push('\n\n')).toBe('');
    expect(answer.push('two')).toBe('e\n\ntw');
    expect(answer.flush()).toBe('o');
    expect(answer.text).toBe('one\n\ntwo');
  });

  it('have LF in place of CR and CRLF, also when a piece ends between CR and LF', () => {
    expect(frameAll(['a\r', '\nb\rc\r\n', 'd\r', 'e']).text).toBe('a\nb\nc\nd\ne');
  });

  it('have passed the filter, also what the filter holds back', () => {
    const answer = new AnswerText({ push: (text) => text.toUpperCase(), flush: () => '!' });
    expect(answer.push('a\r') + answer.push('\nb') + answer.flush()).toBe('A\nB!');
    expect(answer.text).toBe('A\nB!');
  });

  it('join a surrogate pair that arrives in two pieces', () => {
    const { data, text } = frameAll(['x\ud83d', '\ude00y']);
    expect(text).toBe('x😀y');
    expect(data.every((frame) => frame.isWellFormed())).toBe(true);
  });

  it('split text that a client would read as the end of the stream', () => {
    expect(frameAll(['[ERROR] x y']).data.join('')).toEqual('[ERROR] x y');
    for (const text of ['[DONE]', ' [DONE] ', '[ERROR] x', '[DONE]\n[ERROR] x', '[ERROR]']) {
      const { data } = frameAll([text, '']);
      expect(data.join('')).toBe(text);
      for (const frame of data) {
        expect(frame.trim()).not.toBe('[DONE]');
        expect([frame, frame.trim().startsWith('[ERROR]')]).toEqual([frame, false]);
      }
    }
  });

  it('preserve any text, however it is divided into pieces', () => {
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
