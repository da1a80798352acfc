import { setImmediate as turn } from 'node:timers/promises';
import {
  type EmbeddingModel,
  loadBuiltinEmbeddingModel,
  type ModelCall,
  ModelError,
  type OnModelCall,
  type OnProgress,
} from '@citewell/models';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelSetting } from '@citewell/database';
import { EmbeddingModels, type EmbeddingModelsOptions, spaceOf, spacesOf } from './embedding-models.js';
import { SettingsPoll } from './settings-poll.js';

interface Opening {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  readonly onCall: OnModelCall;
  succeed(): Promise<void>;
  fail(error: unknown): Promise<void>;
}

let builtin: EmbeddingModel;
let options: EmbeddingModelsOptions;
let stored: ModelSetting | null | Error;
let poll: SettingsPoll;
let used: string[];
let openings: Opening[];
let closed: string[];
let warnings: number;
let models: EmbeddingModels;

const warn = (): void => void (warnings += 1);
const newPoll = (): SettingsPoll =>
  new SettingsPoll(
    {
      all: async () => {
        if (stored instanceof Error) throw stored;
        return new Map(stored ? [['embedding', stored]] : []);
      },
    },
    { warn },
  );
const setting = (name: string, sealedKey: string | null = null): ModelSetting => ({
  name,
  baseUrl: null,
  sealedKey,
});
const nameOf = (model: string): string => spaceOf({ fingerprint: model, dimensions: 3 }).name;
const overview = () => ({
  name: models.name,
  indexing: [models.indexing.space.name, models.indexing.isInterim ? 'interim' : 'final'].join(' '),
  embedding: models.embedding?.space.name ?? null,
  isPreparing: models.isPreparing,
  retired: models.retired.map(({ space }) => space.name),
});

beforeEach(async () => {
  builtin = await loadBuiltinEmbeddingModel();
  [stored, used, openings, closed, warnings] = [null, [], [], [], 0];
  poll = newPoll();
  options = {
    builtin,
    settings: {
      store: async (_kind, setting) => {
        stored = setting;
      },
      usedSpaces: async () => new Set(used),
    },
    poll,
    openModel: ({ name }, { signal, onProgress, onCall }) => {
      const { promise, resolve, reject } = Promise.withResolvers<EmbeddingModel>();
      const close = async (): Promise<void> => void closed.push(name);
      openings.push({
        name,
        signal,
        onProgress,
        onCall,
        succeed: async () => {
          const model = { ...builtin, fingerprint: name, dimensions: 3, close };
          resolve(model);
          await turn();
        },
        fail: async (error) => {
          reject(error);
          await turn();
        },
      });
      return promise;
    },
    logger: { info: () => undefined, warn: warn },
  };
  models = new EmbeddingModels(options);
  await models.start();
});

const BUILTIN_SPACE = async (): Promise<string> => spaceOf(await loadBuiltinEmbeddingModel()).name;

describe('EmbeddingModels', () => {
  it('begins with the built-in model', async () => {
    expect(overview()).toEqual({
      name: 'builtin',
      indexing: `${await BUILTIN_SPACE()} final`,
      embedding: null,
      isPreparing: false,
      retired: [],
    });
  });

  it('prepares a chosen model, and then uses it', async () => {
    await models.choose('a');
    await turn();
    const indexing = `${await BUILTIN_SPACE()} interim`;
    expect(overview()).toMatchObject({ name: 'a', indexing, embedding: null, isPreparing: true });
    openings[0]?.onProgress({ step: 'downloading', text: 'x', done: 0.5 });
    expect(models.preparation).toEqual({ step: 'downloading', done: 0.5, message: null });
    await openings[0]?.succeed();
    expect(overview()).toMatchObject({ indexing, embedding: nameOf('a'), isPreparing: false, retired: [] });
    expect(models.preparation).toBeNull();
  });

  it('follows the choice of another process', async () => {
    stored = setting('a');
    await poll.read();
    await poll.read();
    await turn();
    expect(openings.map(({ name }) => name)).toEqual(['a']);
  });

  it('searches an earlier model until no document serves from it, and then closes it', async () => {
    await models.choose('a');
    await turn();
    await openings[0]?.succeed();
    used = [nameOf('a')];
    await models.choose('b');
    await turn();
    expect(overview()).toMatchObject({ embedding: null, isPreparing: true, retired: [nameOf('a')] });
    await openings[1]?.succeed();
    await poll.read();
    expect(overview()).toMatchObject({ embedding: nameOf('b'), retired: [nameOf('a')] });
    used = [nameOf('b')];
    await poll.read();
    expect([overview().retired, closed]).toEqual([[], ['a']]);
  });

  it('is undone at once, also during the preparation', async () => {
    await models.choose('a');
    await turn();
    await models.choose('builtin');
    expect([openings[0]?.signal.aborted, models.isPreparing, models.preparation]).toEqual([
      true,
      false,
      null,
    ]);
    openings[0]?.onProgress({ step: 'downloading', text: 'x', done: 0.9 });
    expect(models.preparation).toBeNull();
    await openings[0]?.succeed();
    expect([overview().retired, closed]).toEqual([[], ['a']]);
  });

  it('uses a model that is still open when it is chosen again', async () => {
    await models.choose('a');
    await turn();
    await openings[0]?.succeed();
    used = [nameOf('a')];
    await models.choose('builtin');
    await models.choose('a');
    expect(overview()).toMatchObject({ embedding: nameOf('a'), isPreparing: false });
    expect(openings).toHaveLength(1);
  });

  it('opens a model with a new key, whose vectors stay', async () => {
    stored = setting('openai:a', 'key 1');
    await poll.read();
    await turn();
    await openings[0]?.succeed();
    used = [nameOf('openai:a')];
    expect(overview()).toMatchObject({ name: 'openai:a', embedding: nameOf('openai:a'), retired: [] });
    stored = setting('openai:a', 'key 2');
    await poll.read();
    await turn();
    // Until the server has answered, the earlier key is used for questions, and nothing is embedded.
    expect(overview()).toMatchObject({ isPreparing: true, embedding: null, retired: [nameOf('openai:a')] });
    stored = setting('openai:a', 'key 3');
    await poll.read();
    await turn();
    expect([openings[1]?.signal.aborted, openings.length]).toEqual([true, 2]);
    await openings[1]?.fail(new Error('aborted'));
    await openings[2]?.succeed();
    expect(overview()).toMatchObject({ isPreparing: false, embedding: nameOf('openai:a'), retired: [] });
    await poll.read();
    expect(closed).toEqual(['openai:a']);
    expect(overview()).toMatchObject({ embedding: nameOf('openai:a'), retired: [] });
  });

  it('tells why a preparation failed, and repeats it when the model is chosen again', async () => {
    await models.choose('a');
    await turn();
    await openings[0]?.fail(new ModelError('permanent', 'There is no such model.'));
    expect(models.preparation).toEqual({ step: 'failed', done: null, message: 'There is no such model.' });
    expect([models.isPreparing, warnings]).toEqual([true, 1]);
    await poll.read();
    expect(models.preparation?.step).toBe('failed');
    await models.choose('a');
    await turn();
    expect([openings.length, models.preparation?.step]).toEqual([2, 'loading']);
    await openings[1]?.fail(new TypeError('secret path'));
    expect(models.preparation?.message).toBe('The model could not be opened.');
  });

  it('tells why requests to the model fail, until one is answered', async () => {
    const call = (outcome: ModelCall['outcome'], failure?: ModelError): ModelCall => ({
      kind: 'embedding',
      outcome,
      failure,
      seconds: 1,
      inputTokens: 0,
      outputTokens: 0,
    });
    await models.choose('a');
    await turn();
    const [opening] = openings;
    await opening?.succeed();
    expect(models.problem).toBeNull();
    opening?.onCall(call('rate-limited', new ModelError('rate-limited', 'Too fast.')));
    opening?.onCall(call('aborted'));
    expect(models.problem).toBe('Too fast.');
    opening?.onCall(call('done'));
    expect(models.problem).toBeNull();
    opening?.onCall(call('transient', new ModelError('transient', 'It is down.')));
    await models.choose('builtin');
    opening?.onCall(call('transient', new ModelError('transient', 'It is down.')));
    expect(models.problem).toBeNull();
  });

  it('prepares a model of the environment in the background, and starts meanwhile', async () => {
    const fixed = EmbeddingModels.fixed(options, 'remote');
    const attempted = fixed.attempted();
    await turn();
    await openings[0]?.fail(new ModelError('rate-limited', 'Too fast.', { retryAfterMs: 1 }));
    await attempted;
    expect([fixed.isPreparing, fixed.problem, fixed.chosenBy]).toEqual([true, 'Too fast.', 'environment']);
    while (openings.length < 2) await turn();
    await openings[1]?.succeed();
    expect([fixed.isPreparing, fixed.problem, fixed.embedding?.space.name]).toEqual([
      false,
      null,
      nameOf('remote'),
    ]);
  });

  it('logs a failure once, until it fails in another way', async () => {
    EmbeddingModels.fixed(options, 'remote');
    const failures = ['No network.', 'No network.', 'The disk is full.', 'No network.'];
    for (const [index, message] of failures.entries()) {
      while (openings.length <= index) await turn();
      await openings[index]?.fail(new ModelError('transient', message, { retryAfterMs: 1 }));
    }
    expect(warnings).toBe(3);
    while (openings.length <= failures.length) await turn();
    await openings.at(-1)?.succeed();
  });

  it('starts no reindex while the setting cannot be read, and keeps the model that it has', async () => {
    stored = new Error('no database');
    const unknown = new EmbeddingModels({ ...options, poll: newPoll() });
    await unknown.start();
    expect([unknown.isPreparing, unknown.indexing.isInterim]).toEqual([true, true]);
    await poll.read();
    expect(overview()).toMatchObject({ name: 'builtin', isPreparing: false });
    expect(warnings).toBe(2);
  });

  it.each([
    ['none', null, 'lexical final', null],
    ['builtin', 'builtin', 'builtin final', null],
    ['text-embedding-3-small', 'other', 'builtin interim', 'other'],
  ] as const)('is fixed by the environment to %s', (name, model, indexing, embedding) => {
    const given = model === 'other' ? { ...builtin, fingerprint: 'other' } : model && builtin;
    models = EmbeddingModels.fixed(options, name, given);
    expect(models.chosenBy).toBe('environment');
    expect(overview().indexing).toMatch(new RegExp(`${indexing.split(' ')[0]}.* ${indexing.split(' ')[1]}$`));
    if (embedding === null) expect(overview().embedding).toBeNull();
    else expect(overview().embedding).toContain(embedding);
    expect(models.isPreparing).toBe(false);
  });
});

describe('spacesOf', () => {
  it('adds a space for embeddings, unless the model is the built-in one or none', async () => {
    const builtin = await loadBuiltinEmbeddingModel();
    const model: EmbeddingModel = { ...builtin, fingerprint: 'other', dimensions: 3 };
    const spaces = { builtin: spaceOf(builtin), other: spaceOf(model), words: spaceOf(null) };
    expect(await spacesOf(null)).toEqual({
      indexing: { space: spaces.words, model: null, isInterim: false },
      embedding: null,
    });
    expect(await spacesOf(builtin)).toEqual({
      indexing: { space: spaces.builtin, model: builtin, isInterim: false },
      embedding: null,
    });
    expect(await spacesOf(model)).toEqual({
      indexing: { space: spaces.builtin, model: builtin, isInterim: true },
      embedding: { space: spaces.other, model, isInterim: false },
    });
  });
});

describe('spaceOf', () => {
  it('has a different name for every embedding model', () => {
    const lexical = spaceOf(null);
    const small = spaceOf({ fingerprint: 'Small_384', dimensions: 384 });
    const large = spaceOf({ fingerprint: 'Large_1024', dimensions: 1_024 });
    expect(new Set([lexical.name, small.name, large.name]).size).toBe(3);
    expect([lexical.dense, small.dense]).toEqual([null, { dimensions: 384 }]);
    // Spaces with one vector per chunk had a name without the words per window.
    expect(small.name).toMatch(/^l\d+_small_384_w60$/);
    expect(lexical.name).toMatch(/^l\d+_lexical$/);
    for (const { name } of [lexical, small, large]) expect(name).toMatch(/^l\d+_[a-z0-9_]+$/);
  });
});
