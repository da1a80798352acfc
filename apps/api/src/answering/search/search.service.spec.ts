import { once } from 'node:events';
import { TenantScope } from '@citewell/database';
import { ModelError, type RerankModel } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { AnalyzedQuestion } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { FoundPassage } from './retriever.service.js';
import { rerankPassages, Search, sharePassages } from './search.service.js';

const tenant = new TenantScope('0190a5a4-0000-7000-8000-00000000000a');

/** Finds `count` passages with the texts 0, 1, 2, … */
function retrieverWith(count: number, rerank: RerankModel['rerank'] | null, timeoutMs = 60_000) {
  const limits: number[] = [];
  const warnings: unknown[] = [];
  const metrics = new Metrics('test');
  const retriever = {
    retrieve: async (
      _tenant: unknown,
      _datastores: unknown,
      _question: string,
      { limit }: { limit: number },
    ) => {
      limits.push(limit);
      return Array.from({ length: Math.min(limit, count) }, (_, index) => ({
        id: String(index),
        header: index === 0 ? 'Title' : '',
        text: String(index),
        score: 1 - index / 100,
        terms: [],
      }));
    },
  };
  const search = new Search(
    retriever as never,
    {} as never,
    { of: async () => rerank && { rerank } },
    { RERANK_TIMEOUT_MS: timeoutMs } as never,
    metrics,
    { warn: (fields: unknown) => void warnings.push(fields) } as never,
  );
  const retrieve = async (limit: number, signal = new AbortController().signal) =>
    (await search.find(tenant, [], [new AnalyzedQuestion('question')], { limit, signal })).passages.map(
      ({ text }) => text,
    );
  const outcomes = async () =>
    Object.fromEntries(
      (await metrics.rerankings.get()).values.map(({ labels, value }) => [labels.outcome, value]),
    );
  return { retrieve, limits, warnings, outcomes };
}

/** Prefers the last passages. */
const backwards: RerankModel['rerank'] = async (_, texts) => texts.map((_text, index) => index / 100);
const hanging: RerankModel['rerank'] = async (_question, _texts, { signal }) => {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
};

describe('Search', () => {
  it('reranks 30 passages, also if fewer are wanted', async () => {
    const { retrieve, limits, outcomes } = retrieverWith(100, backwards);
    expect(await retrieve(2)).toEqual(['29', '28']);
    expect((await retrieve(32)).slice(29)).toEqual(['0', '30', '31']);
    expect(limits).toEqual([30, 32]);
    expect(await outcomes()).toEqual({ done: 2 });
  });

  it('gives the model the header of a passage, too', async () => {
    const given: string[] = [];
    const { retrieve } = retrieverWith(2, async (_, texts, options) => {
      given.push(...texts);
      return backwards(_, texts, options);
    });
    await retrieve(5);
    expect(given).toEqual(['Title\n0', '1']);
  });

  it.each<[string, RerankModel['rerank'], number, string]>([
    ['fails', () => Promise.reject(new ModelError('permanent', 'rejected')), 60_000, 'failed'],
    ['hangs', hanging, 1, 'timeout'],
  ])('keeps the order of the search if the model %s', async (_, rerank, timeoutMs, outcome) => {
    const { retrieve, warnings, outcomes } = retrieverWith(3, rerank, timeoutMs);
    expect(await retrieve(2)).toEqual(['0', '1']);
    expect(warnings).toHaveLength(1);
    expect(await outcomes()).toEqual({ [outcome]: 1 });
  });

  it('does not call the model for a single passage, and searches as usual without a model', async () => {
    const single = retrieverWith(1, hanging);
    expect(await single.retrieve(5)).toEqual(['0']);
    const without = retrieverWith(100, null);
    expect(await without.retrieve(2)).toEqual(['0', '1']);
    expect(without.limits).toEqual([2]);
  });

  it('ends with the request of the caller', async () => {
    const { retrieve, warnings, outcomes } = retrieverWith(3, hanging);
    const reason = new Error('left');
    await expect(retrieve(2, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect([warnings, await outcomes()]).toEqual([[], {}]);
  });
});

/** Relevance before reranking, best first. */
const PASSAGES = { a: 0.9, b: 0.6, c: 0.6, d: 0.2 };
// Only the fields that reranking reads.
const passages = Object.entries(PASSAGES).map(([id, score]) => ({ id, score }) as FoundPassage);

it.each<[string, number[], string, (number | undefined)[]]>([
  ['orders by score', [0.1, 0.2, 0.3, 0.4], 'dcba', [0.4, 0.3, 0.2, 0.1]],
  ['keeps the order of equal scores', [0.5, 0, 0.5, 0], 'acbd', [0.5, 0.5, 0, 0]],
  ['keeps passages without a score behind the others', [0, 1], 'bacd', [1, 0, undefined, undefined]],
  ['keeps the order without scores', [], 'abcd', Array<undefined>(4).fill(undefined)],
])('%s, and leaves the relevance with the rank', (_, scores, order, rerankScores) => {
  const ranked = rerankPassages(passages, scores);
  expect(ranked.map(({ id }) => id).join('')).toBe(order);
  expect(ranked.map(({ rerankScore }) => rerankScore)).toEqual(rerankScores);
  expect(ranked.map(({ score }) => score)).toEqual(Object.values(PASSAGES));
});

it.each([
  ['one question keeps its order', ['abc'], 'abc'],
  ['each question gets its share', ['abc', 'xyz'], 'axbycz'],
  ['a passage of two questions comes once', ['abc', 'bxa'], 'abxc'],
  ['a question without passages takes no place', ['', 'xy'], 'xy'],
  ['no question', [], ''],
])('%s', (_, rankings, shared) => {
  const passages = rankings.map((ranking) => [...ranking].map((id) => ({ id, text: id, score: 1 })));
  expect(sharePassages(passages).map(({ id }) => id)).toEqual([...shared]);
});

it('keeps the highest score of a passage, and two copies of a text', () => {
  const first = [
    { id: 'a', text: 'Up to 140 euros.', score: 0.9 },
    { id: 'b', text: 'up to 140  euros.', score: 0.9 },
    { id: 'x', text: 'In Oslo.', score: 0.1 },
  ];
  const second = [
    { id: 'x', text: 'In Oslo.', score: 0.8 },
    { id: 'c', text: 'Up to 140 euros.', score: 0.2 },
  ];
  expect(sharePassages([first, second])).toEqual([
    { ...first[0], copies: [second[1]] },
    { ...first[2], score: 0.8 },
    first[1],
  ]);
});

it('joins the copies that several questions have left out', () => {
  const passage = (id: string): FoundPassage =>
    // This function reads no other fields.
    ({ id, text: 'Up to 140 euros.', score: 0.9 }) as FoundPassage;
  const [a, b, c, d] = [passage('a'), passage('b'), passage('c'), passage('d')];
  const shared = sharePassages([
    [{ ...a, copies: [c] }, b],
    [{ ...a, copies: [d] }, b],
  ]);
  expect(shared).toEqual([{ ...a, copies: [c, d] }, b]);
});
