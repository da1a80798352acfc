import { agentAnswerSchema } from '@citewell/contracts/schemas';
import { expect, it } from '@jest/globals';
import { readWithParser } from '../client/stream-readers.js';
import type { ModelFixture } from '../deployments/model.deployment.js';

const TEXT = 'The Aker pump weighs 12 kg. Repairs are made in our workshop in Bergen, within a week.';
const QUESTION = 'What about the Aker pump and its repairs?';
const SUPPORTED = 'It weighs 12 kg [1]. They are made in the workshop in Bergen.';
const UNSUPPORTED = `${SUPPORTED} It is sold in Lisbon by a dealer.`;

export function supportedAnswers(fixture: () => ModelFixture): void {
  async function agentWith(settings: Record<string, unknown>): Promise<string> {
    const { tenant } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, TEXT, { name: 'Pumps' });
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

  it('do not contain the frame of the prompt', async () => {
    const id = await agentWith({});
    reply('[1]\n<passage>\nFrom: Pumps\nThe Aker pump weighs 12 kg.\n</passage>\nSo it is 12 kg.');
    const { text } = await streamed(id);
    expect(text).toBe('[1]\nThe Aker pump weighs 12 kg.\nSo it is 12 kg.');
  });
}
