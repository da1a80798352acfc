import { text } from 'node:stream/consumers';
import { type ConversationRepository, type ExportedAnswer, TenantScope } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { ConversationExportService } from './conversation-export.service.js';

const tenant = new TenantScope('0190a5a4-0000-7000-8000-00000000000a');
const answer: ExportedAnswer = {
  id: 'm',
  conversationId: 'c',
  createdAt: new Date(0),
  agentId: 'agent',
  externalId: 'thread',
  question: 'q',
  answer: 'a',
  abstained: false,
  state: 'complete',
  rating: null,
  comment: null,
  sources: ['https://a.example/', 'https://a.example/', 'b.pdf'],
  sentences: null,
};

function exportOf(answers: ConversationRepository['answers']) {
  // The service calls only this method.
  return new ConversationExportService({ answers } as ConversationRepository).export(tenant, {});
}

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['say "hi", then go', 'say ""hi"", then go'],
  ['two\nlines', 'two\nlines'],
])('the question %j is quoted', async (question, cell) => {
  const csv = await text(
    exportOf(async (_scope, _filter, _limit, after) => (after ? [] : [{ ...answer, question }])),
  );
  expect(csv.replace('\uFEFF', '').split('\r\n')).toEqual([
    '"time","agent id","conversation id","question","answer","abstained","rating","comment","sources","state","unsupported sentences"',
    `"1970-01-01T00:00:00.000Z","agent","thread","${cell}","a","no",,,"https://a.example/\nb.pdf","complete",`,
    '',
  ]);
});

it('lists the sentences that no passage supports', async () => {
  const sentence = { citations: [], supported: false };
  const row = {
    ...answer,
    answer: 'One. Two [1]. Three.',
    sentences: [
      { ...sentence, start: 0, end: 4 },
      { start: 5, end: 13, supported: true, citations: [{ number: 1, added: false }] },
      { ...sentence, start: 14, end: 20 },
    ],
  };
  const csv = await text(exportOf(async (_scope, _filter, _limit, after) => (after ? [] : [row])));
  expect(csv.trimEnd().endsWith('"complete","One.\nThree."')).toBe(true);
});

it('fails when a later batch cannot be read, so that the download does not seem complete', async () => {
  const failing = exportOf(async (_scope, _filter, _limit, after) => {
    if (after) throw new Error('the database is gone');
    return [answer];
  });
  await expect(text(failing)).rejects.toThrow('the database is gone');
});

it('reads no further batch after the reader has left', async () => {
  let batches = 0;
  const csv = exportOf(async () => {
    batches += 1;
    return [{ ...answer, answer: 'x'.repeat(100_000) }];
  });
  for await (const _ of csv) break;
  const read = batches;
  await new Promise((resolve) => setImmediate(resolve));
  expect([csv.destroyed, batches]).toEqual([true, read]);
});
