import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readBeirCorpus, readBeirQuestions } from './question-set.js';

const jsonl = (records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

describe('a folder in the format of BEIR', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beir-'));
    await mkdir(join(folder, 'qrels'));
    await writeFile(
      join(folder, 'queries.jsonl'),
      jsonl([
        { _id: 'q1', text: 'Where is kelp?' },
        { _id: 'q2', text: 'Not judged' },
        { _id: 'q3', text: 'Only irrelevant' },
      ]),
    );
    await writeFile(
      join(folder, 'corpus.jsonl'),
      jsonl([
        { _id: 'd1', title: 'Kelp', text: 'In the sea.' },
        { _id: 'd2', title: '', text: 'Tides.' },
        { _id: 'd3', title: '', text: ' ' },
      ]),
    );
    await writeFile(
      join(folder, 'qrels', 'test.tsv'),
      'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq3\td2\t0\n',
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has judged questions, with the grades of documents', async () => {
    expect(await readBeirQuestions(folder)).toEqual([
      { question: 'Where is kelp?', documents: { d1: 2, d2: 0 } },
    ]);
  });

  it('has documents that the judgements name by their custom id', async () => {
    const items = [];
    for await (const item of readBeirCorpus(folder)) items.push(item);
    expect(items).toMatchObject([
      { custom_id: 'd1', name: 'Kelp', text: 'Kelp\n\nIn the sea.' },
      { custom_id: 'd2', name: 'd2', text: 'Tides.' },
    ]);
  });

  it.each([
    ['queries.jsonl', '{"_id": 1}', /Line 1 of .*queries\.jsonl must be an object with "_id" and "text"/],
    ['queries.jsonl', 'x', /is not a JSON object/],
    ['qrels/test.tsv', 'q1 d1 1', /must have three columns/],
    ['qrels/test.tsv', 'q9\td1\t1', /has no question with a relevant document/],
  ])('names what is wrong in %s: %s', async (file, text, message) => {
    await writeFile(join(folder, file), text);
    await expect(readBeirQuestions(folder)).rejects.toThrow(message);
  });
});
