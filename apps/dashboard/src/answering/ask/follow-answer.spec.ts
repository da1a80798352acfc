import { type AgentAnswer, CitewellError, type ResumableAnswerEvent } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { type AnswerNews, followAnswer } from './follow-answer.js';

const RESPONSE = { answer: 'Two years.', messageId: 'm' } as AgentAnswer;
const START: ResumableAnswerEvent = {
  type: 'started',
  start: { conversationId: 'c', visitorId: 'v', messageId: 'm' },
};
const text = (piece: string): ResumableAnswerEvent => ({ type: 'text', text: piece });
const END: ResumableAnswerEvent = { type: 'response', response: RESPONSE };
const broken = new CitewellError('NETWORK', 'x');
const refused = new CitewellError('UNAUTHORIZED', 'x', { status: 403 });

async function* events(...items: (ResumableAnswerEvent | Error)[]) {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

/** What is learned of an answer whose streams are these, one after the other. */
async function learned(streams: (ResumableAnswerEvent | Error)[][], messageId: string | null = null) {
  const next = () => events(...(streams.shift() ?? [new Error('no more streams')]));
  // Followed answers do not tell their ids.
  const agents = { follow: next as never };
  const news: (AnswerNews | string)[] = [];
  const signal = new AbortController().signal;
  try {
    for await (const item of followAnswer(agents, 'a', { begin: next, messageId, signal }, 0))
      news.push(item);
  } catch (error) {
    news.push(error instanceof CitewellError ? error.code : String(error));
  }
  return news.map((item) =>
    typeof item === 'string' ? item : item.type === 'text' ? `+${item.text}` : item.type,
  );
}

it.each([
  ['is read', [[START, text('Two'), text(' years.'), END]], ['started', '+Two', '+Two years.', 'response']],
  [
    'is read anew from its beginning after a break',
    [[START, text('Two'), broken], [broken], [text('Two ye'), text('ars.'), END]],
    ['started', '+Two', '+Two ye', '+Two years.', 'response'],
  ],
  ['that did not begin is not asked again', [[broken]], ['NETWORK']],
  [
    'that failed is not read again',
    [[START, new CitewellError('INTERNAL', 'x', { status: 500 })]],
    ['started', 'INTERNAL'],
  ],
  [
    'is not read after the session',
    [[START, text('Two'), broken], [refused]],
    ['started', '+Two', 'UNAUTHORIZED'],
  ],
])('an answer %s', async (_, streams, expected) => {
  expect(await learned(streams)).toEqual(expected);
});

it('an answer is given up when the server does not come back', async () => {
  const streams = [[START, broken], ...Array.from({ length: 40 }, () => [broken])];
  expect(await learned(streams)).toEqual(['started', 'NETWORK']);
  expect(streams.length).toBeGreaterThan(0);
});
