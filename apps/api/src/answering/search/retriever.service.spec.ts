import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type DatastoreEntity, TenantScope, type VisibleRun } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { AnalyzedQuestion } from '@citewell/retrieval';
import type { Hit, VectorStore } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import { QuestionEmbedder } from './question-embedder.service.js';
import { Retriever } from './retriever.service.js';

const tenant = new TenantScope('0190a5a4-0000-7000-8000-00000000000a');
// The retriever reads only these two fields of a datastore.
const datastore = { id: '0190a5a4-0000-7000-8000-00000000000b', spaces: ['l1'] } as DatastoreEntity;

function hit(runId: string, ordinal: number, score: number): Hit {
  return {
    id: `${runId}-${ordinal}`,
    runId,
    ordinal,
    score,
    scoring: 'lexical',
    legs: {},
    terms: [],
    organizationId: tenant.organizationId,
    datastoreId: datastore.id,
    datasourceId: 'd',
    groupId: null,
    text: `text ${ordinal} of ${runId}`,
    header: '',
    confidence: null,
    page: null,
    headingPath: [],
    anchor: null,
    start: 0,
    end: 1,
    contentHash: 'h',
  };
}

/**
 * A retriever whose store returns `searches`, and whose database reports that the run `serving` serves the only
 * datasource; null if none does.
 */
function retrieverWith(searches: (limit: number, call: number) => Hit[], serving: string | null) {
  const calls: number[] = [];
  const store = {
    search: async (_space: unknown, _tenant: unknown, { limit }: { limit: number }) => {
      calls.push(limit);
      return searches(limit, calls.length).slice(0, limit);
    },
  };
  const passages = {
    visible: async (_tenant: unknown, _datastores: unknown, datasourceIds: string[]) =>
      new Map(
        datasourceIds
          .filter((id) => serving !== null && id !== 'other')
          .map((id) => [id, { runId: serving } as VisibleRun]),
      ),
    visibleIds: async () => ['d'],
    spaces: async () => ['l1'],
  };
  const retriever = new Retriever(
    store as unknown as VectorStore,
    passages as never,
    {} as never,
    NO_RECOVERY,
    new QuestionEmbedder(
      {
        indexing: { space: { name: 'l1', dense: null }, model: null, isInterim: false },
        embedding: null,
      },
      { warn: () => undefined },
    ),
    new Metrics('test'),
  );
  return { retriever, calls };
}

/** No point is lost. */
const NO_RECOVERY = {
  assertSearchable: async () => undefined,
  assertComplete: async () => undefined,
  recoverFrom: async (error: unknown) => Promise.reject(error),
};

describe('Retriever', () => {
  it('drops hits of runs that do not serve, and returns descending scores in 0..1', async () => {
    const { retriever } = retrieverWith(() => [hit('old', 0, 9), hit('new', 0, 8), hit('new', 1, 1)], 'new');
    const found = await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), {
      limit: 5,
    });
    expect(found.map((passage) => passage.text)).toEqual(['text 0 of new', 'text 1 of new']);
    expect(found.every(({ score }) => score > 0 && score < 1)).toBe(true);
  });

  it('finds the new run when a run is replaced between the search and the visibility check', async () => {
    const { retriever, calls } = retrieverWith(
      (_, call) => (call === 1 ? [hit('old', 0, 5)] : [hit('old', 0, 5), hit('new', 0, 5)]),
      'new',
    );
    const found = await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), {
      limit: 1,
    });
    expect(found.map((passage) => passage.runId)).toEqual(['new']);
    expect(calls).toHaveLength(2);
  });

  it('does not search again for documents that do not serve yet, or that have no passage for the question', async () => {
    for (const [serving, searches] of [
      [null, 1],
      ['other', 2],
    ] as const) {
      const { retriever, calls } = retrieverWith(() => [hit('first', 0, 5), hit('second', 0, 4)], serving);
      expect(
        await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), { limit: 1 }),
      ).toEqual([]);
      expect(calls).toHaveLength(searches);
    }
  });

  it.each([
    ['the datastore did not have before', ['l1']],
    ['was searched before the run served', ['l1', 'l2']],
  ])('finds the new run when it is in a space that %s', async (_, known) => {
    let isReplaced = false;
    const retriever = new Retriever(
      {
        search: async ({ name }: { name: string }) => {
          if (name === 'l1') await setImmediate();
          isReplaced ||= name === 'l1';
          return [hit(name === 'l1' ? 'old' : 'new', 0, 5)];
        },
      } as unknown as VectorStore,
      {
        // The search that has the old run reads last, after the switch.
        visible: async () => {
          const runId = isReplaced ? 'new' : 'old';
          return new Map([['d', { runId } as VisibleRun]]);
        },
        spaces: async () => ['l1', 'l2'],
      } as never,
      {} as never,
      NO_RECOVERY,
      new QuestionEmbedder(
        {
          indexing: { space: { name: 'l1', dense: null }, model: null, isInterim: false },
          embedding: null,
        },
        { warn: () => undefined },
      ),
      new Metrics('test'),
    );
    const found = await retriever.retrieve(
      tenant,
      [{ ...datastore, spaces: known }],
      new AnalyzedQuestion('question'),
      {
        limit: 1,
      },
    );
    expect(found.map(({ runId }) => runId)).toEqual(['new']);
  });

  it('searches for more while hits are hidden, and stops when there are no more', async () => {
    const hidden = Array.from({ length: 100 }, (_, index) => hit('deleted', index, 200 - index));
    const { retriever, calls } = retrieverWith(() => [...hidden, hit('serving', 0, 1)], 'serving');
    const found = await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), {
      limit: 3,
    });
    expect(found).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ['any document', undefined],
    ['those of a source', { datasource_ids: ['01a2380d-0000-7000-8000-000000000001'] }],
  ])(
    'searches only what the caller may read when the best thousand hits are for others: %s',
    async (_, filters) => {
      const { retriever, calls } = retrieverWith((limit, call) => {
        const hidden = Array.from({ length: limit }, (_, index) => ({
          ...hit('new', index, 9),
          datasourceId: 'other',
        }));
        return call < 6 ? hidden : [hit('new', 0, 1)];
      }, 'new');
      const found = await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), {
        limit: 5,
        filters,
      });
      expect(found.map(({ datasourceId }) => datasourceId)).toEqual(['d']);
      expect(calls).toEqual([10, 40, 160, 640, 1000, 10]);
    },
  );

  it('searches with one leg only, and does not embed the question for the words', async () => {
    const queries: object[] = [];
    const store = {
      search: async (_space: unknown, _tenant: unknown, { lexical, dense }: Record<string, unknown>) => {
        queries.push({ lexical: lexical !== undefined, dense: dense !== undefined });
        return [];
      },
    };
    const embedding = { embed: async (texts: string[]) => texts.map(() => new Float32Array(1)) };
    const retriever = new Retriever(
      store as unknown as VectorStore,
      { visible: async () => new Map() } as never,
      {} as never,
      NO_RECOVERY,
      new QuestionEmbedder(
        {
          indexing: {
            space: { name: 'l1', dense: { dimensions: 1 } },
            model: embedding as never,
            isInterim: false,
          },
          embedding: null,
        },
        { warn: () => undefined },
      ),
      new Metrics('test'),
    );
    for (const leg of ['lexical', 'dense', undefined] as const)
      await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('kelp'), {
        limit: 1,
        ...(leg ? { leg } : {}),
      });
    expect(queries).toEqual([
      { lexical: true, dense: false },
      { lexical: false, dense: true },
      { lexical: true, dense: true },
    ]);
  });

  it('does not search when the filters match nothing', async () => {
    const { retriever, calls } = retrieverWith(() => assert.fail('searched'), null);
    const filters = { datasource_ids: ['not-an-id'] };
    expect(
      await retriever.retrieve(tenant, [datastore], new AnalyzedQuestion('question'), { limit: 3, filters }),
    ).toEqual([]);
    expect(calls).toHaveLength(0);
  });
});
