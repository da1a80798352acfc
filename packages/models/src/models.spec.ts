import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createChatModel } from './chat.model.js';
import {
  CHAT_PROVIDERS,
  type ChatProvider,
  parseChatModelName,
  requireProviderPackage,
  resolveModelName,
} from './providers.js';
import { estimateTokens, planBatches } from './embedding-batches.js';
import { readEmbeddings } from './openai-embedding.model.js';
import { ProviderFailure } from './model.error.js';
import { toModelError } from './provider-errors.js';
import { WellFormedDeltas } from './chat-stream.js';

describe('WellFormedDeltas', () => {
  it('preserves the text and never ends inside a surrogate pair', () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) => `${value}😀한字`);
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
        const bounds = [
          ...new Set([0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length]),
        ].sort((a, b) => a - b);
        const deltas = bounds.slice(1).map((end, at) => whole.slice(bounds[at], end));
        const filter = new WellFormedDeltas();
        const emitted = deltas.map((delta) => filter.push(delta));
        expect(emitted.join('') + filter.flush()).toBe(whole);
        expect(emitted.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  it('returns an unpaired surrogate at the end', () => {
    const filter = new WellFormedDeltas();
    expect(filter.push('a\ud83d')).toBe('a');
    expect(filter.flush()).toBe('\ud83d');
    expect(filter.flush()).toBe('');
  });
});

describe('planBatches', () => {
  it('keeps the order and respects both limits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100)),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 200 }),
        (counts, maxInputs, maxTokens) => {
          const batches = planBatches(counts, { maxInputs, maxTokens });
          expect(batches.flatMap(({ from, to }) => counts.slice(from, to))).toEqual(counts);
          for (const { from, to } of batches) {
            const tokens = counts.slice(from, to).reduce((sum, count) => sum + count, 0);
            expect(to).toBeGreaterThan(from);
            expect(to - from).toBeLessThanOrEqual(maxInputs);
            expect(tokens <= maxTokens || to - from === 1).toBe(true);
          }
        },
      ),
    );
  });
});

describe('parseChatModelName', () => {
  it.each([
    ['gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['openai:gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['anthropic:claude-sonnet-4-5', 'anthropic', 'claude-sonnet-4-5'],
    ['google-genai:gemini-3-flash', 'google-genai', 'gemini-3-flash'],
    ['mistralai:mistral-small-latest', 'mistralai', 'mistral-small-latest'],
    ['ollama:qwen2.5:7b', 'ollama', 'qwen2.5:7b'],
    // Names of models at OpenAI-compatible servers
    ['qwen2.5:7b', 'openai', 'qwen2.5:7b'],
    ['mistral:7b', 'openai', 'mistral:7b'],
    ['openai/gpt-oss:20b', 'openai', 'openai/gpt-oss:20b'],
    ['toString:7b', 'openai', 'toString:7b'],
  ])('%s', (name, provider, model) => {
    expect(parseChatModelName(name)).toEqual({ provider, model });
  });
});

describe('createChatModel', () => {
  it('names the variable of a missing key', () => {
    const create = (provider: ChatProvider): unknown => createChatModel({ provider, model: 'm' });
    expect(() => create('openai')).toThrow(/OPENAI_API_KEY is not set.*OPENAI_BASE_URL/);
    expect(() => create('anthropic')).toThrow(/ANTHROPIC_API_KEY is not set/);
    create('ollama');
  });
});

describe('requireProviderPackage', () => {
  it('names a package that is not installed, and the command that installs it', () => {
    requireProviderPackage('anthropic');
    const resolve = (): never => {
      throw new Error('Cannot find module');
    };
    expect(() => requireProviderPackage('anthropic', resolve)).toThrow(
      expect.objectContaining({
        kind: 'permanent',
        message: expect.stringContaining(
          '`npx --yes pnpm@12 --filter @citewell/models add @langchain/anthropic`',
        ),
      }),
    );
  });
});

describe('estimateTokens', () => {
  it('returns a third of the UTF-8 bytes', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd')).toBe(2);
    expect(estimateTokens('漢字')).toBe(2);
  });
});

describe('readEmbeddings', () => {
  const entry = (index: number, ...embedding: unknown[]): object => ({ index, embedding });
  const failsAs = (kind: string) => expect.objectContaining({ name: 'ModelError', kind });

  it('orders by index', () => {
    const vectors = readEmbeddings({ data: [entry(1, 0, 1), entry(0, 1, 0)] }, 2, 2);
    expect(vectors).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(readEmbeddings({ data: [{ embedding: [1] }] }, 1, null)).toEqual([Float32Array.of(1)]);
  });

  it('rejects malformed responses as transient', () => {
    const responses: unknown[] = [
      null,
      'text',
      {},
      { data: [] },
      { data: [entry(0, 1), entry(1, 1)] },
      { data: [entry(1, 1)] },
      { data: [entry(-1, 1)] },
      { data: [entry(0)] },
      { data: [entry(0, null)] },
      { data: [entry(0, 'x')] },
      { data: [{ index: 0, embedding: 'AAAA' }] },
    ];
    for (const response of responses)
      expect(() => readEmbeddings(response, 1, null)).toThrow(failsAs('transient'));
    expect(() => readEmbeddings({ data: [entry(0, 1), entry(0, 1)] }, 2, 1)).toThrow(failsAs('transient'));
  });

  it('rejects other dimensions as permanent', () => {
    expect(() => readEmbeddings({ data: [entry(0, 1, 2)] }, 1, 3)).toThrow(failsAs('permanent'));
    expect(() => readEmbeddings({ data: [entry(0, 1, 2), entry(1, 1)] }, 2, null)).toThrow(
      failsAs('permanent'),
    );
  });
});

describe('toModelError', () => {
  const NOW = Date.parse('Fri, 20 Nov 2026 12:00:00 GMT');
  const providerError = (status: number, headers: Record<string, string> = {}, code?: string): Error =>
    Object.assign(new Error('sk-secret and the prompt'), { status, headers: new Headers(headers), code });

  it('classifies by status', () => {
    const kinds = [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 529].map(
      (status) => `${status} ${toModelError(providerError(status)).kind}`,
    );
    expect(kinds).toEqual([
      '400 permanent',
      '401 permanent',
      '403 permanent',
      '404 permanent',
      '408 transient',
      '409 permanent',
      '413 permanent',
      '422 permanent',
      '425 transient',
      '429 rate-limited',
      '500 transient',
      '502 transient',
      '503 transient',
      '529 transient',
    ]);
    expect(toModelError(providerError(401)).message).toMatch(/OPENAI_API_KEY/);
    expect(toModelError(providerError(429, {}, 'insufficient_quota')).kind).toBe('permanent');
  });

  it('reads the retry delay', () => {
    const retryAfterMs = (headers: Record<string, string>): number | undefined =>
      toModelError(providerError(429, headers), { variables: CHAT_PROVIDERS.openai }, NOW).retryAfterMs;
    expect(retryAfterMs({ 'retry-after': '3' })).toBe(3000);
    expect(retryAfterMs({ 'retry-after': '0.5' })).toBe(500);
    expect(retryAfterMs({ 'retry-after': 'Fri, 20 Nov 2026 12:00:10 GMT' })).toBe(10_000);
    expect(retryAfterMs({ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' })).toBe(0);
    expect(retryAfterMs({ 'retry-after': '9', 'retry-after-ms': '120' })).toBe(120);
    expect(retryAfterMs({ 'retry-after': '-1' })).toBeUndefined();
    expect(retryAfterMs({})).toBeUndefined();
  });

  it('classifies errors without a status as transient, and includes the system code', () => {
    const refused = Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' });
    const error = toModelError(
      new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: refused }) }),
    );
    expect(error.kind).toBe('transient');
    expect(error.message).toMatch(/ECONNREFUSED/);
    for (const unexpected of [new SyntaxError('Unexpected token'), 'text', null])
      expect(toModelError(unexpected).kind).toBe('transient');
  });

  it('does not contain text from the provider', () => {
    const error = toModelError(providerError(400, {}, 'a prompt, not a code'));
    assert.ok(error.cause instanceof ProviderFailure);
    expect(error.cause.cause).toBeUndefined();
    const everything = `${error.stack} ${error.cause.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`;
    expect(everything).not.toMatch(/sk-secret|prompt/);
  });
});

describe('resolveModelName', () => {
  it('returns the entry of the table, else the default model, else null', () => {
    const names = { table: { gpt_4: 'big', gpt_3_5_turbo: '' }, chatModel: 'default' };
    expect(resolveModelName('gpt_4', names)).toBe('big');
    expect(resolveModelName('gpt_3_5_turbo', names)).toBe('default');
    expect(resolveModelName('toString', names)).toBe('default');
    expect(resolveModelName('gpt_4', { table: {} })).toBeNull();
  });
});
