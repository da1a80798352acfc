import type { AgentAnswer, Source } from '@citewell/sdk';
import { afterEach, expect, it, jest } from '@jest/globals';
import { printSources } from './print-answer.js';

const SOURCE: Source = {
  chunk_id: 'c',
  datasource_id: 'd',
  datasource_name: 'pumps.pdf',
  datasource_type: 'file',
  source: 'pumps.pdf',
  score: 0.9,
  text: 'The pump weighs 12 kg.',
  start: 0,
  end: 22,
  revision: 1,
  cited: true,
};

afterEach(() => void jest.restoreAllMocks());

it('tells which sources the model did not cite, and which sentences have none', () => {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const answer: AgentAnswer = {
    answer: 'It weighs 12 kg. It is blue.',
    conversationId: 'c',
    visitorId: 'v',
    messageId: 'm',
    abstained: false,
    finishReason: 'stop',
    sources: [{ ...SOURCE, added: true }],
    sentences: [
      { start: 0, end: 16, supported: true, citations: [{ number: 1, added: true }] },
      { start: 17, end: 28, supported: false, citations: [] },
    ],
  };
  printSources(answer, false);
  expect(out.mock.calls.join('')).toContain(
    '[1] pumps.pdf, characters 0-22, revision 1, datasource d, not cited by the model',
  );
  expect(err.mock.calls.join('')).toBe('\nNo source supports: It is blue.\n');
});
