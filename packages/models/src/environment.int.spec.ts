import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createChatModel } from './chat.model.js';
import { CHAT_PROVIDERS, type ChatProvider } from './providers.js';
import { createEmbeddingModel } from './openai-embedding.model.js';

/** Variables that LangChain and the clients of the providers read. */
const variables = (otherUrl: string): Record<string, string> => ({
  LANGCHAIN_TRACING: 'true',
  LANGCHAIN_TRACING_V2: 'true',
  LANGSMITH_TRACING: 'true',
  LANGSMITH_TRACING_V2: 'true',
  LANGCHAIN_API_KEY: 'ls-key-from-the-environment',
  LANGSMITH_API_KEY: 'ls-key-from-the-environment',
  LANGCHAIN_ENDPOINT: otherUrl,
  LANGSMITH_ENDPOINT: otherUrl,
  LANGCHAIN_CALLBACKS_BACKGROUND: 'false',
  LANGSMITH_GATEWAY: otherUrl,
  LANGSMITH_GATEWAY_API_KEY: 'from-the-environment',
  LC_OUTPUT_VERSION: 'v1',
  OPENAI_BASE_URL: otherUrl,
  OPENAI_API_BASE: otherUrl,
  OPENAI_API_KEY: 'from-the-environment',
  OPENAI_ORG_ID: 'from-the-environment',
  OPENAI_ORGANIZATION: 'from-the-environment',
  OPENAI_LOG: 'debug',
  ANTHROPIC_API_URL: otherUrl,
  ANTHROPIC_BASE_URL: otherUrl,
  ANTHROPIC_API_KEY: 'from-the-environment',
  ANTHROPIC_AUTH_TOKEN: 'from-the-environment',
  ANTHROPIC_LOG: 'debug',
  GOOGLE_API_KEY: 'from-the-environment',
  GEMINI_API_KEY: 'from-the-environment',
  MISTRAL_API_KEY: 'from-the-environment',
  OLLAMA_BASE_URL: otherUrl,
  OLLAMA_API_KEY: 'from-the-environment',
  OPENAI_CUSTOM_HEADERS: 'authorization: Bearer from-the-environment',
  ANTHROPIC_CUSTOM_HEADERS: 'x-api-key: from-the-environment',
  GOOGLE_CLOUD_CREDENTIALS: '{"token_uri": "from-the-environment"}',
  MISTRAL_DEBUG: 'true',
});

/** Time in ms in which a trace would be sent: LangSmith's client sends in batches, every 250 ms. */
const TRACE_DELAY_MS = 500;

describe('environment variables', () => {
  const environment = { ...process.env };
  let server: ModelServer;
  /** Paths of the requests to the address in the environment variables. */
  const redirected: string[] = [];
  const printed: unknown[] = [];
  let otherUrl: string;
  const otherServer = createServer((request, response) => {
    redirected.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  beforeAll(async () => {
    server = await startModelServer();
    await new Promise<void>((listening) => otherServer.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    const { port } = otherServer.address() as AddressInfo;
    otherUrl = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => {
    Object.assign(process.env, variables(otherUrl));
    printed.length = 0;
    for (const method of ['log', 'info', 'warn', 'debug', 'group'] as const)
      jest.spyOn(console, method).mockImplementation((...values) => void printed.push(...values));
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    for (const name of Object.keys(variables(''))) {
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    }
    otherServer.close();
    otherServer.closeAllConnections();
    await server.close();
  });

  async function expectNothingFromTheEnvironment(): Promise<void> {
    expect(JSON.stringify(server.requests.at(-1)?.headers)).not.toContain('from-the-environment');
    await sleep(TRACE_DELAY_MS);
    expect(redirected).toEqual([]);
    expect(printed).toEqual([]);
  }

  // A type assertion: Object.keys returns strings.
  it.each(Object.keys(CHAT_PROVIDERS) as ChatProvider[])(
    'cannot redirect, trace or print a chat with a model of %s, or change its key',
    async (provider) => {
      const baseUrl = server.baseUrls[provider];
      const chat = createChatModel({ provider, baseUrl, model: 'test-chat' });
      const texts: string[] = [];
      const request = { messages: [{ role: 'user' as const, content: 'a private question' }] };
      for await (const event of chat.stream(request, { signal: new AbortController().signal }))
        if ('text' in event) texts.push(event.text);
      expect(texts.join('')).toBe('The sources say so [1].');
      await expectNothingFromTheEnvironment();
    },
  );

  it('cannot redirect an embedding model or give it another key', async () => {
    const model = await createEmbeddingModel({ baseUrl: server.baseUrl, model: 'test-embedding' });
    await model.embed(['text'], { signal: new AbortController().signal, kind: 'query' });
    await expectNothingFromTheEnvironment();
  });

  // Proves that the tests above can fail.
  it('would trace a chat model that is used through the callbacks of LangChain', async () => {
    const { ChatOpenAI } = await import('@langchain/openai');
    const configuration = { baseURL: server.baseUrl, logLevel: 'off' as const };
    const model = new ChatOpenAI({ model: 'test-chat', apiKey: 'key', configuration });
    for await (const _ of await model.stream('a private question'));
    await sleep(TRACE_DELAY_MS);
    expect(redirected).not.toEqual([]);
  });
});
