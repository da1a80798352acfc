import {
  DELIVERIES,
  type RawModelServer,
  type RawReply,
  startRawModelServer,
} from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askInProcess, type RemoteClient, type RemoteOutcomes } from './remote-answers.fixtures.js';

const CHAT_CLIENTS = ['openai', 'anthropic', 'google-genai', 'mistralai', 'ollama'] as const;
const JSON_CLIENTS = ['embedding', 'rerank', 'rerank-tei'] as const;
const MEGABYTE = 1024 * 1024;

let server: RawModelServer;
beforeAll(async () => {
  server = await startRawModelServer();
});
afterAll(() => server.close());

function urlOf(client: RemoteClient, reply: RawReply): string {
  if (client === 'embedding' || client === 'rerank') return server.urlOf('openai', reply);
  return server.urlOf(client === 'rerank-tei' ? 'tei' : client, reply);
}

const ask = (client: RemoteClient, replies: RawReply[], isUnread = false): Promise<RemoteOutcomes> =>
  askInProcess({ client, baseUrls: replies.map((reply) => urlOf(client, reply)), isUnread });

const ALIVE = [0, null, ''];
const ANSWER = { length: expect.any(Number) };
const failed = (pattern: RegExp): object => ({ failed: expect.stringMatching(pattern) });
const TRANSIENT = failed(/^transient: The model provider (?:could not be reached|ended the answer early)/);
const FAILED_500 = failed(/^transient: The model provider failed with status 500/);

describe.each(CHAT_CLIENTS)('chat client of %s', (client) => {
  it('answers, or says what is wrong, however the bytes arrive', async () => {
    const { outcomes, exit } = await ask(
      client,
      DELIVERIES.map((delivery) => ({ delivery, bytes: 300_000 })),
    );
    expect({ outcomes, exit }).toEqual({
      outcomes: [ANSWER, ANSWER, ANSWER, TRANSIENT, TRANSIENT, TRANSIENT],
      exit: ALIVE,
    });
  });

  it('survives a caller that does not read the answer', async () => {
    // The sizes at which the buffers between socket and caller are full when the connection ends differ by client.
    const sizes = Array.from({ length: 11 }, (_, index) => 210_000 + index * 20_000);
    const { outcomes, exit } = await ask(
      client,
      sizes.map((bytes) => ({ delivery: 'burst', bytes })),
      true,
    );
    expect({ outcomes: outcomes.length, exit }).toEqual({ outcomes: sizes.length, exit: ALIVE });
  });
});

describe.each([...CHAT_CLIENTS, ...JSON_CLIENTS])('an error for the client of %s', (client) => {
  it('is classified by its status, however its body arrives', async () => {
    const deliveries = [...DELIVERIES, 'endless'] as const;
    const { outcomes, exit, peakBytes } = await ask(
      client,
      deliveries.map((delivery) => ({ delivery, bytes: 300_000, status: 500 })),
    );
    expect({ outcomes, exit }).toEqual({ outcomes: deliveries.map(() => FAILED_500), exit: ALIVE });
    expect(peakBytes).toBeLessThan(400 * MEGABYTE);
  });
});

describe.each(JSON_CLIENTS)('client of %s', (client) => {
  it('answers, or says what is wrong, however the bytes arrive', async () => {
    const { outcomes, exit, peakBytes } = await ask(client, [
      ...(['paced', 'burst', 'burst-with-length'] as const).map((delivery) => ({ delivery, bytes: 300_000 })),
      { delivery: 'truncated', bytes: 300_000 },
      // The JSON itself is cut.
      { delivery: 'closed-early', bytes: 10 },
      { delivery: 'reset', bytes: 10 },
      { delivery: 'endless', bytes: 300_000 },
    ]);
    const tooLong = failed(/^permanent: The answer of the model is too long/);
    expect({ outcomes, exit }).toEqual({
      outcomes: [{ length: 2 }, { length: 2 }, { length: 2 }, TRANSIENT, TRANSIENT, TRANSIENT, tooLong],
      exit: ALIVE,
    });
    expect(peakBytes).toBeLessThan(600 * MEGABYTE);
  });
});

describe('download of a model', () => {
  it('stores a file only if all of it has arrived', async () => {
    const { outcomes, exit } = await ask(
      'hub',
      DELIVERIES.map((delivery) => ({ delivery, bytes: 300_000 })),
    );
    const refused = failed(/^permanent: The file config\.json/);
    expect({ outcomes, exit }).toEqual({
      outcomes: [refused, refused, { length: 1 }, refused, refused, refused],
      exit: ALIVE,
    });
  });
});
