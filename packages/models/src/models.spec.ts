import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { estimateTokens, planBatches } from './embedding-batches.js';
import { readEmbeddings } from './embedding-reply.js';
import { resolveModelName } from './model-name.js';
import { ModelError, ProviderFailure } from './model.error.js';
import { toModelError } from './provider-errors.js';
import { WellFormedDeltas } from './well-formed-deltas.js';

describe('WellFormedDeltas', () => {
  it('joins to what went in and never ends inside a pair, wherever it is cut', () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) => `${value}😀한字`);
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
        const bounds = [
          ...new Set([0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length]),
        ].sort((a, b) => a - b);
        const deltas = bounds.slice(1).map((end, at) => whole.slice(bounds[at], end));
        const held = new WellFormedDeltas();
        const passed = deltas.map((delta) => held.push(delta));
        assert.equal(passed.join('') + held.flush(), whole);
        assert.ok(passed.every((piece) => piece.isWellFormed()));
      }),
    );
  });

  it('gives up a half that stays alone at the end', () => {
    const held = new WellFormedDeltas();
    assert.equal(held.push('a\ud83d'), 'a');
    assert.equal(held.flush(), '\ud83d');
    assert.equal(held.flush(), '');
  });
});

describe('planBatches', () => {
  it('keeps order and both limits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100)),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 200 }),
        (counts, maxInputs, maxTokens) => {
          const batches = planBatches(counts, { maxInputs, maxTokens });
          assert.deepEqual(
            batches.flatMap(({ from, to }) => counts.slice(from, to)),
            counts,
          );
          for (const { from, to } of batches) {
            const tokens = counts.slice(from, to).reduce((sum, count) => sum + count, 0);
            assert.ok(to > from && to - from <= maxInputs);
            assert.ok(tokens <= maxTokens || to - from === 1);
          }
        },
      ),
    );
  });

  it('estimates tokens from bytes', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('abcd'), 2);
    assert.equal(estimateTokens('漢字'), 2);
  });
});

describe('readEmbeddings', () => {
  const entry = (index: number, ...embedding: unknown[]): object => ({ index, embedding });
  const failsAs = (kind: string) => (error: unknown) => error instanceof ModelError && error.kind === kind;

  it('orders by index', () => {
    const vectors = readEmbeddings({ data: [entry(1, 0, 1), entry(0, 1, 0)] }, 2, 2);
    assert.deepEqual(vectors, [Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    assert.deepEqual(readEmbeddings({ data: [{ embedding: [1] }] }, 1, null), [Float32Array.of(1)]);
  });

  it('refuses answers that make no sense, as worth another try', () => {
    const answers: unknown[] = [
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
    for (const answer of answers) assert.throws(() => readEmbeddings(answer, 1, null), failsAs('transient'));
    assert.throws(() => readEmbeddings({ data: [entry(0, 1), entry(0, 1)] }, 2, 1), failsAs('transient'));
  });

  it('refuses another space for good', () => {
    assert.throws(() => readEmbeddings({ data: [entry(0, 1, 2)] }, 1, 3), failsAs('permanent'));
    assert.throws(
      () => readEmbeddings({ data: [entry(0, 1, 2), entry(1, 1)] }, 2, null),
      failsAs('permanent'),
    );
  });
});

describe('toModelError', () => {
  const NOW = Date.parse('Fri, 20 Nov 2026 12:00:00 GMT');
  const providerError = (status: number, headers: Record<string, string> = {}, code?: string): Error =>
    Object.assign(new Error('sk-secret and the prompt'), { status, headers: new Headers(headers), code });

  it('sorts by status', () => {
    const kinds = [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 529].map(
      (status) => `${status} ${toModelError(providerError(status)).kind}`,
    );
    assert.deepEqual(kinds, [
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
    assert.match(toModelError(providerError(401)).message, /OPENAI_API_KEY/);
    assert.equal(toModelError(providerError(429, {}, 'insufficient_quota')).kind, 'permanent');
  });

  it('reads how long to wait', () => {
    const wait = (headers: Record<string, string>): number | undefined =>
      toModelError(providerError(429, headers), NOW).retryAfterMs;
    assert.equal(wait({ 'retry-after': '3' }), 3000);
    assert.equal(wait({ 'retry-after': '0.5' }), 500);
    assert.equal(wait({ 'retry-after': 'Fri, 20 Nov 2026 12:00:10 GMT' }), 10_000);
    assert.equal(wait({ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }), 0);
    assert.equal(wait({ 'retry-after': '9', 'retry-after-ms': '120' }), 120);
    assert.equal(wait({ 'retry-after': '-1' }), undefined);
    assert.equal(wait({}), undefined);
  });

  it('calls what is no answer transient, and names the system error beneath', () => {
    const refused = Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' });
    const error = toModelError(
      new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: refused }) }),
    );
    assert.equal(error.kind, 'transient');
    assert.match(error.message, /ECONNREFUSED/);
    for (const odd of [new SyntaxError('Unexpected token'), 'text', null])
      assert.equal(toModelError(odd).kind, 'transient');
  });

  it('keeps nothing that a provider may have repeated', () => {
    const error = toModelError(providerError(400, {}, 'a prompt, not a code'));
    assert.ok(error.cause instanceof ProviderFailure);
    assert.equal(error.cause.cause, undefined);
    const everything = `${error.stack} ${error.cause.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`;
    assert.doesNotMatch(everything, /sk-secret|prompt/);
  });
});

describe('resolveModelName', () => {
  it('takes the entry, else the one for all, else none', () => {
    const names = { table: { gpt_4: 'big', gpt_3_5_turbo: '' }, chatModel: 'one-for-all' };
    assert.equal(resolveModelName('gpt_4', names), 'big');
    assert.equal(resolveModelName('gpt_3_5_turbo', names), 'one-for-all');
    assert.equal(resolveModelName('toString', names), 'one-for-all');
    assert.equal(resolveModelName('gpt_4', { table: {} }), null);
  });
});
