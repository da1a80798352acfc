import type { GapQuestion, NewQuestion } from '@citewell/database';
import type { ModelSpace } from '@citewell/infrastructure';
import { CosineScale } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { EmbeddedQuestion } from '../search/question-embedder.service.js';
import { GapGrouping, mostAlike, toBytes } from './gap-grouping.task.js';

const SCALE = CosineScale.of([]);
const vectorOf = (...values: number[]) => ({ space: 's', vector: toBytes(Float32Array.from(values)) });

describe('mostAlike', () => {
  const question = { text: 'annual leave', embedding: vectorOf(1, 0.5) };
  const gap = (gapId: string, text: string, embedding: GapQuestion['embedding']): GapQuestion => ({
    gapId,
    text,
    embedding,
  });

  it.each<[string, GapQuestion[], string | null]>([
    ['none of no gaps', [], null],
    ['the same meaning in other words', [gap('a', 'days of vacation', vectorOf(2, 1))], 'a'],
    ['another meaning', [gap('a', 'days of vacation', vectorOf(-1, 2))], null],
    [
      'the most alike one',
      [gap('a', 'days of leave', vectorOf(1, 1)), gap('b', 'annual leave', vectorOf(1, 0.5))],
      'b',
    ],
    // Of another model: its numbers mean something else.
    [
      'only the words beside another space',
      [gap('a', 'vacation', { ...vectorOf(1, 0.5), space: 'other' })],
      null,
    ],
    [
      'the same words beside another space',
      [gap('a', 'annual leave?', { ...vectorOf(-1, 2), space: 'other' })],
      'a',
    ],
    ['the same words without a vector', [gap('a', 'annual leave?', null)], 'a'],
  ])('is %s', async (_, gaps, expected) => {
    expect(await mostAlike(question, gaps, SCALE)).toBe(expected);
  });
});

describe('GapGrouping', () => {
  it('drops what asks nothing, and adds other questions, by words if the model fails', async () => {
    const texts = ['Hello!', '', 'parking'];
    const added: unknown[] = [];
    const dropped: string[] = [];
    const gaps = {
      newQuestions: async (): Promise<NewQuestion[]> =>
        texts.map((text, index) => ({ answerId: String(index), organizationId: 'o', text })),
      drop: async (ids: readonly string[]) => void dropped.push(...ids),
      add: async ({ answerId }: NewQuestion, { embedding }: { embedding: unknown }) =>
        void added.push([answerId, embedding]),
    };
    const indexing: ModelSpace = { space: { name: 's', dense: null }, model: null, isInterim: false };
    const embedder = { embed: async () => new Map<string, EmbeddedQuestion>() };
    await new GapGrouping(gaps, embedder, { indexing, embedding: null }).run();
    expect(dropped).toEqual(['0', '1']);
    expect(added).toEqual([['2', null]]);
  });
});
