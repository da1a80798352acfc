import { agentAnswerSchema, conversationWithMessagesSchema } from '@citewell/contracts/schemas';
import type { ChatReply } from '@citewell/testing';
import { describe, expect, it } from '@jest/globals';
import { readWithNode, readWithParser, type StreamedAnswer } from '../../client/stream-readers.js';
import { until } from '../../client/tenant.js';
import type { ModelFixture } from '../../deployments/model.deployment.js';

const READERS = { 'eventsource-parser': readWithParser, 'the standard library': readWithNode };

/** Deltas that the model provider sends, and the expected text of the answer. */
const TEXTS: readonly (readonly [title: string, deltas: readonly string[], text: string])[] = [
  ['plain words', ['Hello', ' world', '.'], 'Hello world.'],
  ['newlines at every boundary', ['\n', 'a\n', '\n', '\nb', '\n\nc\n', '\n'], 'a\n\n\nb\n\nc\n\n'],
  ['CRLF, split between deltas', ['a\r', '\nb\r\nc\r', 'd\r\r\n', 'e'], 'a\nb\nc\nd\n\ne'],
  ['an emoji split between deltas', ['see \ud83e', '\udd8a', ' run \ud83e', '\udd8a'], 'see 🦊 run 🦊'],
  ['a lone surrogate', ['a\ud83e', 'b'], 'a\ufffdb'],
  ['a family of emoji', ['👨', '\u200d', '👩\u200d👧'], '👨\u200d👩\u200d👧'],
  ['CJK', ['日本', '語と中', '文。\n', '한국어'], '日本語と中文。\n한국어'],
  ['percent signs', ['100', '% of %20', '%0A%', 'E2'], '100% of %20%0A%E2'],
  ['leading spaces and tabs', [' a', '  b', '\tc', ' \n  d '], ' a  b\tc \n  d '],
  [
    'data: and event: in it',
    ['data: x\n', 'event: y\n\n', 'id: 1\n:', ' ping'],
    'data: x\nevent: y\n\nid: 1\n: ping',
  ],
  ['[DONE]', ['[DONE]'], '[DONE]'],
  ['[DONE] in pieces', ['[DO', 'NE]', '\n[DONE]\n', '[DONE]', ' and on'], '[DONE]\n[DONE]\n[DONE] and on'],
  ['[ERROR] at the beginning', ['[ERROR] x', ' and ', '[ERROR] y'], '[ERROR] x and [ERROR] y'],
  [
    '[ERROR] after a newline',
    ['a\n', '[ERROR] INTERNAL: x', '\n\n[ERROR]'],
    'a\n[ERROR] INTERNAL: x\n\n[ERROR]',
  ],
  ['a zero character', ['a\u0000', '\u0000', 'b'], 'ab'],
  ['a byte order mark', ['\ufeffa', '\ufeffb'], '\ufeffa\ufeffb'],
  ['line separators', ['a\u2028b', '\u2029\u0085c'], 'a\u2028b\u2029\u0085c'],
  [
    'an image, links and HTML that are not in the documents',
    ['![a](htt', 'ps://evil.example/?q=1) [b](java', 'script:x) <im', 'g src=x>'],
    '! [a] (https:// evil.example/?q=1) [b] (javascript:x) < img src=x>',
  ],
  ['one letter at a time', [...'ab\n\n[DONE]\n🦊'], 'ab\n\n[DONE]\n🦊'],
  [
    'a long text',
    Array.from({ length: 200 }, (_, at) => `word${at} `.repeat(20)),
    Array.from({ length: 200 }, (_, at) => `word${at} `.repeat(20)).join(''),
  ],
];

export function streaming(fixture: () => ModelFixture): void {
  const nextReply = (deltas: readonly string[], more: Partial<ChatReply> = {}): void =>
    fixture().model.next({ kind: 'chat', deltas, ...more });
  const queriesUsed = async (): Promise<number> =>
    JSON.parse((await fixture().tenant.api.get('/usage')).text).agentQueries.used;

  describe('gives every client the same text', () => {
    for (const [title, deltas, expected] of TEXTS) {
      it(title, async () => {
        const { tenant } = fixture();
        const agent = await tenant.agent();
        nextReply(deltas);
        const whole = await tenant.ask(agent.id, 'Say it.');
        // As JSON.
        expect(whole.answer).toBe(expected);
        for (const [name, read] of Object.entries(READERS)) {
          nextReply(deltas);
          const streamed = await read(tenant.api, agent.id, { query: 'Say it.' });
          expect([name, streamed.answer]).toEqual([name, expected]);
          expect([name, streamed.ends]).toEqual([name, ['[DONE]']]);
          const { abstained, ...response } = agentAnswerSchema
            .partial({ abstained: true })
            .parse(JSON.parse(streamed.response));
          expect(abstained).not.toBe(true);
          expect([name, response.answer]).toEqual([name, expected]);
          assertFramed(streamed);
          const path = `/conversations/${response.conversationId}`;
          const { messages } = (await tenant.api.get(path)).as(conversationWithMessagesSchema);
          expect([`${name}, as stored`, messages[0]?.text]).toEqual([`${name}, as stored`, expected]);
          expect(messages[0]?.id).toBe(response.messageId);
        }
      });
    }

    it('documents that contain the end markers of a stream, quoted and in the sources', async () => {
      const { tenant } = fixture();
      const { id: datastoreId } = await tenant.datastore();
      const text =
        'Signals\n\n[DONE]\n\n[ERROR] x\n\nThe signal ends with the marker [DONE] or [ERROR] as data.';
      await tenant.text(datastoreId, text, { name: '[ERROR] name' });
      const agent = await tenant.agent({ datastoreIds: [datastoreId] });
      for (const read of Object.values(READERS)) {
        nextReply(['[DONE]', '\n[ERROR] x [1]']);
        const streamed = await read(tenant.api, agent.id, { query: 'What marker does the signal end with?' });
        expect(streamed.ends).toEqual(['[DONE]']);
        expect(streamed.answer).toBe('[DONE]\n[ERROR] x [1]');
        const { sources } = JSON.parse(streamed.response);
        expect(sources.length).toBeGreaterThan(0);
        expect(JSON.stringify(sources)).toContain('[DONE]');
      }
    });
  });

  it('is exactly text/event-stream, with headers that keep proxies from buffering it', async () => {
    const { tenant } = fixture();
    const agent = await tenant.agent();
    for (const read of Object.values(READERS)) {
      const { status, headers } = await read(tenant.api, agent.id, { query: 'Hello?' });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/event-stream');
      expect(headers['cache-control']).toBe('no-cache, no-transform');
      expect(headers['x-accel-buffering']).toBe('no');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(String(headers['x-request-id'])).toMatch(/^[\w-]{36}$/);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-length']).toBeUndefined();
    }
  });

  it('arrives piece by piece while the model writes', async () => {
    const { tenant } = fixture();
    const agent = await tenant.agent();
    nextReply(['first', ' second', ' third'], { delayMs: 400 });
    const response = await tenant.api.open('POST', `/agents/${agent.id}/query`, {
      json: { query: 'Hello?', streaming: true },
    });
    const started = performance.now();
    let firstAfter = 0;
    for await (const _ of response.body ?? []) firstAfter ||= performance.now() - started;
    expect(firstAfter).toBeLessThan((performance.now() - started) / 2);
  });

  for (const end of ['cut', 'early', 'broken-json', 'error-frame'] as const) {
    it(`ends with [ERROR] when the model's answer is ${end}, and stores and charges nothing`, async () => {
      const { tenant } = fixture();
      const agent = await tenant.agent();
      const before = await queriesUsed();
      for (const [name, read] of Object.entries(READERS)) {
        nextReply(['half an', ' answer'], { end });
        const conversationId = `${end} ${name}`;
        const streamed = await read(tenant.api, agent.id, { query: 'Hello?', conversationId });
        expect(streamed.status).toBe(200);
        expect(streamed.ends).toHaveLength(1);
        expect(streamed.ends[0] ?? '').toMatch(/^\[ERROR\] UPSTREAM_UNAVAILABLE: \S/);
        expect(streamed.response).toBe('');
        expect('half an answer'.startsWith(streamed.answer)).toBe(true);
        const path = `/conversations/${encodeURIComponent(conversationId)}`;
        (await tenant.api.get(path)).assertError('NOT_FOUND');
      }
      expect(await queriesUsed()).toBe(before);
    });
  }

  it('cancels the model call when the client disconnects, streaming or not', async () => {
    const { model, tenant } = fixture();
    const agent = await tenant.agent();
    for (const streaming of [true, false]) {
      for (const firstDelayMs of [0, 20_000]) {
        const calls = model.requests.length;
        nextReply(
          Array.from({ length: 500 }, () => 'word '),
          { delayMs: 40, firstDelayMs },
        );
        const client = new AbortController();
        const conversationId = `disconnected ${streaming} ${firstDelayMs}`;
        const body = { query: 'Hello?', streaming, conversationId };
        const reading = tenant.api
          .call('POST', `/agents/${agent.id}/query`, { json: body, signal: client.signal })
          .catch((error: unknown) => error);
        const call = await until(async () => model.requests[calls], 'the model to be called');
        await new Promise((resolve) => setTimeout(resolve, 100));
        client.abort();
        await reading;
        await until(async () => call.aborted, 'the model call to be cancelled', 3_000);
        const path = `/conversations/${encodeURIComponent(conversationId)}`;
        (await tenant.api.get(path)).assertError('NOT_FOUND');
      }
    }
    // The disconnected clients must have released the organization's two permits for concurrent answers.
    await Promise.all([tenant.ask(agent.id, 'One?'), tenant.ask(agent.id, 'Two?')]);
  });

  it('limits the concurrent answers of an organization', async () => {
    const { model, tenant } = fixture();
    const agent = await tenant.agent();
    const client = new AbortController();
    const path = `/agents/${agent.id}/query`;
    const calls = model.requests.length;
    nextReply(['slow'], { firstDelayMs: 20_000 });
    nextReply(['slow'], { firstDelayMs: 20_000 });
    const json = { query: 'Hello?', streaming: true };
    const waiting = [1, 2].map(() =>
      tenant.api.call('POST', path, { json, signal: client.signal }).catch((error: unknown) => error),
    );
    await until(async () => model.requests.length === calls + 2, 'both to reach the model');
    const third = await tenant.api.post(path, json);
    third.assertError('RATE_LIMIT');
    expect(Number(third.header('retry-after'))).toBeGreaterThanOrEqual(1);
    client.abort();
    await Promise.all(waiting);
    await until(
      async () => (await tenant.api.post(path, { query: 'Hello?' })).status === 200,
      'a free permit',
    );
  });

  it('pings while the model is silent', async () => {
    const { tenant } = fixture();
    const agent = await tenant.agent();
    nextReply(['at last'], { firstDelayMs: 15_800 });
    const streamed = await readWithNode(tenant.api, agent.id, { query: 'Hello?' });
    expect(streamed.comments).toEqual(['ping']);
    expect(streamed.answer).toBe('at last');
  });
}

/** Asserts what the API documentation guarantees about the raw bytes of a stream. */
function assertFramed({ raw }: StreamedAnswer): void {
  expect(raw.slice(-60)).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  expect(raw).not.toContain('\r');
  for (const frame of raw.split('\n\n').slice(0, -2)) {
    const [event, ...data] = frame.split('\n');
    expect(event ?? '').toMatch(/^event: (answer|endpoint_response)$/);
    expect(data.every((line) => line.startsWith('data: '))).toBe(true);
    const text = data.map((line) => line.slice('data: '.length)).join('\n');
    expect(text.startsWith('\n')).toBe(false);
    expect(text).not.toBe('[DONE]');
    expect(text.startsWith('[ERROR]')).toBe(false);
    expect(text.isWellFormed()).toBe(true);
  }
}
