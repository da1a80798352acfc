import { type ModelReply, type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChatModel } from './chat.model.js';
import { describePicture } from './describe-picture.js';
import type { ChatModel } from './model.port.js';
import { CHAT_PROVIDERS, type ChatProvider } from './providers.js';

const PICTURE = { mimeType: 'image/png', file: Buffer.from('a picture') } as const;
const BASE64 = PICTURE.file.toString('base64');
const { signal } = new AbortController();

describe('a description of a picture', () => {
  let server: ModelServer;
  beforeAll(async () => (server = await startModelServer()));
  afterAll(() => server.close());
  const open = (provider: ChatProvider) =>
    createChatModel({ provider, model: 'sees', baseUrl: server.baseUrls[provider], apiKey: 'k' });

  it.each(Object.keys(CHAT_PROVIDERS) as ChatProvider[])(
    'is asked of %s with the picture',
    async (provider) => {
      server.next({ kind: 'chat', deltas: ['A red ', '\n\n bicycle.'] });
      const described = await describePicture(open(provider), PICTURE, signal);
      expect(described).toMatchObject({ text: 'A red bicycle.', estimatedTokens: 0 });
      expect(described.outputTokens).toBeGreaterThan(0);
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      expect(sent).toContain(BASE64);
      expect(sent).toContain('Describe this picture.');
      expect(sent).toContain('600');
    },
  );

  it('counts what the provider does not report', async () => {
    const silent: ChatModel = {
      name: 'silent',
      async *stream() {
        yield { text: 'A bicycle.' };
        yield { finishReason: 'stop' };
      },
    };
    const { inputTokens, outputTokens, estimatedTokens } = await describePicture(silent, PICTURE, signal);
    expect(inputTokens).toBeGreaterThan(1_400);
    expect(estimatedTokens).toBe(inputTokens + outputTokens);
  });

  it.each([
    ['writes nothing', { kind: 'chat', deltas: [' '] }],
    ['declines', { kind: 'chat', deltas: ['I cannot.'], finish: 'content_filter' }],
    ['takes no pictures', { kind: 'error', status: 400, message: 'image input is not supported' }],
  ] satisfies [string, ModelReply][])('fails if the model %s', async (_, reply) => {
    // A refusal is tried again without settings.
    server.next(reply, reply, reply);
    await expect(describePicture(open('openai'), PICTURE, signal)).rejects.toMatchObject({
      name: 'ModelError',
    });
  });
});
