import { agentAnswerSchema } from '@citewell/contracts/schemas';
import { expect, it } from '@jest/globals';
import { readWithParser } from '../../client/stream-readers.js';
import type { ModelFixture } from '../../deployments/model.deployment.js';

const TEXT = 'The Aker pump weighs 12 kg. Repairs are made in our workshop in Bergen, within a week.';
const FACTS =
  'The Aker pump weighs 12 kg. The Aker compressor costs 1,800,000 dollars. The Aker compressor has a warranty of seven years. The Aker warranty does not cover seals. Its repairs take two weeks.';
const QUESTION = 'What about the Aker pump and its repairs?';
const SUPPORTED = 'It weighs 12 kg [1]. They are made in the workshop in Bergen.';
const UNSUPPORTED = `${SUPPORTED} It is sold in Lisbon by a dealer.`;

export function supportedAnswers(fixture: () => ModelFixture): void {
  async function agentWith(settings: Record<string, unknown>, text = TEXT): Promise<string> {
    const { tenant } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, text, { name: 'Pumps' });
    return (await tenant.agent({ datastoreIds: [datastoreId], ...settings })).id;
  }
  const reply = (text: string): void => fixture().model.next({ kind: 'chat', deltas: text.split(/(?<= )/) });

  async function streamed(id: string) {
    const { answer: text, response } = await readWithParser(fixture().tenant.api, id, { query: QUESTION });
    return { text, response: agentAnswerSchema.parse(JSON.parse(response)) };
  }

  it('are marked with the sources that support them', async () => {
    const id = await agentWith({});
    reply(UNSUPPORTED);
    const { answer, sentences, sources } = await fixture().tenant.ask(id, QUESTION);
    expect(answer).toBe(UNSUPPORTED);
    expect(
      sentences?.map(({ start, end, ...rest }) => ({ text: answer.slice(start, end), ...rest })),
    ).toEqual([
      { text: 'It weighs 12 kg [1].', supported: true, citations: [{ number: 1, added: false }] },
      {
        text: 'They are made in the workshop in Bergen.',
        supported: true,
        citations: [{ number: 1, added: true }],
      },
      { text: 'It is sold in Lisbon by a dealer.', supported: false, citations: [] },
    ]);
    expect(sources.map(({ cited, added }) => [cited, added])).toEqual([[true, undefined]]);
  });

  it('give sources that no sentence cites, and the end of a stream has them', async () => {
    const id = await agentWith({});
    const text = 'They are made in the workshop in Bergen.';
    reply(text);
    const { text: sent, response } = await streamed(id);
    expect(sent).toBe(text);
    expect(response).toMatchObject({
      answer: text,
      sentences: [{ start: 0, end: text.length, supported: true, citations: [{ number: 1, added: true }] }],
      sources: [{ cited: true, added: true, quote: { text: expect.stringContaining('Bergen') } }],
    });
  });

  it('replace an answer by quotes where the agent is told so, and one of them has no support', async () => {
    const id = await agentWith({ onUnsupported: 'quote' });
    reply(UNSUPPORTED);
    const quoted = await streamed(id);
    expect(quoted.text).not.toContain('Lisbon');
    expect(quoted.text).toMatch(/^These passages match the question best:\n\n“.*\[1\]$/s);
    expect(quoted.response).toMatchObject({ answer: quoted.text, sources: [{ cited: true }] });
    reply(SUPPORTED);
    expect((await streamed(id)).text).toBe(SUPPORTED);
  });

  it.each([
    ['number', 'The Aker pump weighs 21 kg [1].', { stated: '21 kg', found: '12 kg' }],
    [
      'amount',
      'The Aker compressor costs $2.1 million [1].',
      { stated: '$2.1 million', found: '1,800,000 dollars' },
    ],
    [
      'number in words',
      'The Aker compressor has a warranty of 12 years and is free of charge [1].',
      { stated: '12 years', found: 'seven years' },
    ],
    ['negation', 'The Aker warranty covers seals [1].', { found: 'The Aker warranty does not cover seals.' }],
  ])('are contradicted by the source that they cite: %s', async (_, text, contradiction) => {
    const marking = await agentWith({}, FACTS);
    reply(`${text} Repairs take two weeks, or 14 days [1].`);
    const { sentences } = await fixture().tenant.ask(marking, QUESTION);
    expect(sentences).toMatchObject([
      {
        supported: false,
        citations: [{ number: 1, added: false }],
        contradiction: { number: 1, ...contradiction },
      },
      { supported: true },
    ]);
    const quoting = await agentWith({ onUnsupported: 'quote' }, FACTS);
    reply(text);
    const quoted = await streamed(quoting);
    expect(quoted.text).toMatch(/^These passages match the question best:\n\n“.*\[1\]$/s);
    expect(quoted.text).not.toContain(text.replace(' [1].', ''));
  });

  it('do not contain the frame of the prompt', async () => {
    const id = await agentWith({});
    reply('[1]\n<passage>\nFrom: Pumps\nThe Aker pump weighs 12 kg.\n</passage>\nSo it is 12 kg.');
    const { text } = await streamed(id);
    expect(text).toBe('[1]\nThe Aker pump weighs 12 kg.\nSo it is 12 kg.');
  });
}
