import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AnswerFramer, DONE_FRAME, errorFrame, responseFrames } from './answer-frames.js';

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

function frameAll(pieces: string[]): { data: string[]; text: string } {
  const framer = new AnswerFramer();
  const frames = pieces.map((piece) => framer.push(piece)).join('') + framer.flush();
  return { data: dataOf(frames), text: framer.text };
}

describe('AnswerFramer', () => {
  it('buffers the last character so that no frame begins with a newline', () => {
    const framer = new AnswerFramer();
    assert.deepEqual(dataOf(framer.push('one')), ['on']);
    assert.deepEqual(dataOf(framer.push('\n\n')), []);
    assert.deepEqual(dataOf(framer.push('two')), ['e\n\ntw']);
    assert.deepEqual(dataOf(framer.flush()), ['o']);
    assert.equal(framer.text, 'one\n\ntwo');
  });

  it('replaces CR and CRLF with LF, also when a piece ends between CR and LF', () => {
    assert.equal(frameAll(['a\r', '\nb\rc\r\n', 'd\r', 'e']).text, 'a\nb\nc\nd\ne');
  });

  it('joins a surrogate pair that arrives in two pieces', () => {
    const { data, text } = frameAll(['x\ud83d', '\ude00y']);
    assert.equal(text, 'x😀y');
    assert.ok(data.every((frame) => frame.isWellFormed()));
  });

  it('splits text that a client would read as the end of the stream', () => {
    assert.deepEqual(frameAll(['[ERROR] x y']).data.join(''), '[ERROR] x y');
    for (const text of ['[DONE]', ' [DONE] ', '[ERROR] x', '[DONE]\n[ERROR] x', '[ERROR]']) {
      const framer = new AnswerFramer();
      const data = dataOf(framer.push(text) + framer.push('') + framer.flush());
      assert.equal(data.join(''), text);
      for (const frame of data) {
        assert.notEqual(frame.trim(), '[DONE]');
        assert.ok(!frame.trim().startsWith('[ERROR]'), frame);
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
        assert.equal(text, expected);
        assert.equal(data.join(''), expected);
        for (const frame of data) {
          assert.ok(!frame.startsWith('\n') && frame !== '');
          assert.ok(frame.isWellFormed());
          assert.ok(frame.trim() !== '[DONE]' && !frame.startsWith('[ERROR]'));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the last frames of a stream', () => {
  it('have no event name', () => {
    assert.equal(DONE_FRAME, 'data: [DONE]\n\n');
    assert.equal(errorFrame('RATE_LIMIT', 'slow\ndown'), 'data: [ERROR] RATE_LIMIT: slow down\n\n');
  });

  it('split a long response so that their data joins to its JSON', () => {
    const response = { answer: '😀[DONE]\n'.repeat(9_000) };
    const data = dataOf(responseFrames(response));
    assert.ok(data.length > 2);
    assert.deepEqual(JSON.parse(data.join('')), response);
  });
});
