import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CitewellError } from '../citewell-error.js';
import { collect } from '../collect.fixtures.js';
import { readEvents } from '../http/event-reader.js';
import { readAnswer, type ResumableAnswerEvent } from './agents.resource.js';

const RESPONSE = {
  answer: 'x',
  conversationId: 'c',
  visitorId: 'v',
  sources: [],
  messageId: 'm',
  abstained: false,
  finishReason: 'stop' as const,
};
const DONE = 'data: [DONE]\n\n';

/** A frame as the server sends it: one `data` line per line of text. */
function frame(event: string, data: string): string {
  return `event: ${event}\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}

const ENDING = `${frame('endpoint_response', JSON.stringify(RESPONSE))}${DONE}`;

async function* split(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

async function read(wire: string, size = Number.MAX_SAFE_INTEGER): Promise<ResumableAnswerEvent[]> {
  return collect(readAnswer(readEvents(split(new TextEncoder().encode(wire), size)), 'r-1'));
}

function textOf(events: readonly ResumableAnswerEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

const failure = (code: string, status: number) => ({ name: 'CitewellError', code, status, requestId: 'r-1' });

describe('readAnswer', () => {
  it('yields the texts, then the response', async () => {
    const events = await read(frame('answer', 'Hel') + frame('answer', 'lo') + ENDING);
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'response', response: RESPONSE },
    ]);
  });

  it('yields the ids of a resumable answer first', async () => {
    const start = { conversationId: 'c', visitorId: 'v', messageId: 'm' };
    const events = await read(frame('started', JSON.stringify(start)) + frame('answer', 'Hi') + ENDING);
    expect(events).toEqual([
      { type: 'started', start },
      { type: 'text', text: 'Hi' },
      { type: 'response', response: RESPONSE },
    ]);
    await expect(read(`${frame('started', '{')}${ENDING}`)).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
    });
  });

  it('keeps leading spaces, blank lines and lines of spaces', async () => {
    const text = '  two\n\n   three\n \n: no comment\ndata: no field\n';
    expect(textOf(await read(frame('answer', text) + ENDING))).toBe(text);
  });

  it('does not depend on chunk borders, with LF, CRLF and CR', async () => {
    const text = 'Grüße, 世界 🙂\n  100 %\n\n[DONE] and [ERROR] X: y';
    const lf = `: ping\n\n${frame('answer', text)}: ping\n\n${ENDING}`;
    for (const newline of ['\n', '\r\n', '\r']) {
      const wire = lf.replaceAll('\n', newline);
      for (const size of [1, 2, 3, 7]) expect(textOf(await read(wire, size))).toBe(text);
      const bytes = new TextEncoder().encode(wire);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const halves = [bytes.slice(0, cut), bytes.slice(cut)];
        const events = await collect(
          readAnswer(
            readEvents(
              (async function* () {
                yield* halves;
              })(),
            ),
          ),
        );
        expect(textOf(events)).toBe(text);
        expect(events.at(-1)).toEqual({ type: 'response', response: RESPONSE });
      }
    }
  });

  it('does not depend on chunk borders, for any text', async () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed().replace(/\r\n?/g, '\n'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (texts, size) => {
          const wire = texts.map((value) => frame('answer', value)).join('') + ENDING;
          expect(textOf(await read(wire, size))).toBe(texts.join(''));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('treats [DONE] and [ERROR] inside an answer as text, whole or split', async () => {
    const frames = ['[DONE]', '[', 'DONE]', '[', 'ERROR] X: y'].map((data) => frame('answer', data)).join('');
    expect(textOf(await read(frames + ENDING))).toBe('[DONE][DONE][ERROR] X: y');
  });

  it('joins a response that spans several frames', async () => {
    const json = JSON.stringify({ ...RESPONSE, answer: 'a [DONE] b' });
    const frames =
      json
        .match(/.{1,5}/gs)
        ?.map((part) => frame('endpoint_response', part))
        .join('') ?? '';
    const events = await read(frames + DONE);
    expect(events).toEqual([{ type: 'response', response: { ...RESPONSE, answer: 'a [DONE] b' } }]);
  });

  it('skips unknown events and ignores everything after the end', async () => {
    const wire = `${frame('thought', 'hm')}id: 7\nretry: 10\n\n${ENDING}${frame('answer', 'late')}`;
    expect(await read(wire)).toEqual([{ type: 'response', response: RESPONSE }]);
  });

  it('throws the error that the server reports', async () => {
    const readError = (data: string) => read(`${frame('answer', 'Hel')}data: ${data}\n\n`);
    await expect(readError('[ERROR] UPSTREAM_UNAVAILABLE: The model is away.')).rejects.toMatchObject({
      ...failure('UPSTREAM_UNAVAILABLE', 503),
      message: 'The model is away.',
    });
    await expect(readError('[ERROR] NEW_CODE: x')).rejects.toMatchObject(failure('NEW_CODE', 500));
    await expect(readError('[ERROR] only words')).rejects.toMatchObject(failure('INTERNAL', 500));
    await expect(readError('[ERROR]')).rejects.toMatchObject(failure('INTERNAL', 500));
  });

  it('throws if the stream ends too early', async () => {
    await expect(read('')).rejects.toMatchObject(failure('STREAM_INCOMPLETE', 0));
    await expect(read(frame('answer', 'Hel'))).rejects.toMatchObject(failure('STREAM_INCOMPLETE', 0));
    // Without the final blank line the event is incomplete, and the standard requires to drop it.
    await expect(read(ENDING.slice(0, -1))).rejects.toMatchObject(failure('STREAM_INCOMPLETE', 0));
    await expect(read(DONE)).rejects.toMatchObject(failure('INVALID_RESPONSE', 0));
    await expect(read(`${frame('endpoint_response', '{"answer":')}${DONE}`)).rejects.toMatchObject(
      failure('INVALID_RESPONSE', 0),
    );
  });

  it('rejects an event that exceeds the maximum length', async () => {
    const error: unknown = await read(`data: ${'x'.repeat(9_000_000)}`, 1_000_000).catch(
      (error: unknown) => error,
    );
    return error instanceof CitewellError && error.code === 'INVALID_RESPONSE';
  });
});
