import {
  type ChatProvider,
  type ErrorReply,
  type ModelServer,
  startModelServer,
} from '@citewell/testing/model-server';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChatModel, ChatRequest } from './model.port.js';
import { createChatModel, readText } from './chat.model.js';
import type { ModelError } from './model.error.js';

const KEY = 'sk-test-do-not-leak-1234567890';
const REQUEST: ChatRequest = {
  messages: [
    { role: 'system', content: 'Answer from the sources.' },
    { role: 'user', content: 'a private question about salaries' },
  ],
  temperature: 0,
  maxTokens: 77,
  topP: 0.5,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
};

type Body = Record<string, unknown>;
let server: ModelServer;
afterEach(() => server.close());

async function start(refuse: (body: Body) => ErrorReply | undefined): Promise<void> {
  server = await startModelServer({ refuse });
}
const chat = (provider: ChatProvider = 'openai', model = 'test-chat'): ChatModel =>
  createChatModel({ provider, model, baseUrl: server.baseUrls[provider], apiKey: KEY });
const ask = (model: ChatModel): Promise<string> => readText(model, REQUEST, new AbortController().signal);
const refused = (message: string, more: Partial<ErrorReply> = {}): ErrorReply => ({
  kind: 'error',
  status: 400,
  message,
  ...more,
});
const hasSystem = ({ messages }: Body): boolean => JSON.stringify(messages).includes('"system"');

/** Servers that refuse one setting, with their own words. */
const REFUSALS: readonly (readonly [
  name: string,
  refuse: (body: Body) => ErrorReply | undefined,
  left: (body: Body) => unknown,
])[] = [
  [
    'stream_options',
    (body) =>
      'stream_options' in body
        ? refused('Extra inputs are not permitted: body.stream_options.include_usage', { status: 422 })
        : undefined,
    (body) => body.stream_options,
  ],
  [
    'stream_options of an old server',
    (body) =>
      'stream_options' in body
        ? refused('Unrecognized request argument supplied: stream_options')
        : undefined,
    (body) => body.stream_options,
  ],
  [
    'the role system',
    (body) => (hasSystem(body) ? refused('System role not supported') : undefined),
    (body) => hasSystem(body) || undefined,
  ],
  [
    'the role system, as a failure',
    (body) =>
      hasSystem(body)
        ? refused('jinja2.exceptions.TemplateError: System role not supported', { status: 500 })
        : undefined,
    (body) => hasSystem(body) || undefined,
  ],
  [
    'roles that do not alternate',
    (body) =>
      hasSystem(body)
        ? refused('Conversation roles must alternate user/assistant/user/assistant/...')
        : undefined,
    (body) => hasSystem(body) || undefined,
  ],
  [
    'max_tokens',
    (body) =>
      'max_tokens' in body
        ? refused(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            { code: 'unsupported_parameter' },
          )
        : undefined,
    (body) => body.max_tokens,
  ],
  [
    'temperature',
    (body) =>
      'temperature' in body
        ? refused(
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
            { code: 'unsupported_value' },
          )
        : undefined,
    (body) => body.temperature,
  ],
  [
    'temperature and top_p',
    (body) =>
      'temperature' in body && 'top_p' in body
        ? refused('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
        : undefined,
    (body) => ('temperature' in body && 'top_p' in body) || undefined,
  ],
  [
    'penalties',
    (body) =>
      'frequency_penalty' in body || 'presence_penalty' in body
        ? refused('This model does not support penalties.')
        : undefined,
    () => undefined,
  ],
  [
    'something that it does not name',
    (body) => ('top_p' in body ? refused('Unsupported parameter.') : undefined),
    (body) => body.top_p,
  ],
  [
    'all',
    (body) => {
      for (const name of [
        'stream_options',
        'max_tokens',
        'max_completion_tokens',
        'temperature',
        'top_p',
        'presence_penalty',
        'frequency_penalty',
      ])
        if (name in body) return refused(`Unknown parameter: ${name}`);
      return hasSystem(body) ? refused('Only user and assistant roles are supported!') : undefined;
    },
    (body) => body.max_completion_tokens,
  ],
];

describe('a server that refuses', () => {
  it.each(REFUSALS.filter(([name]) => name !== 'penalties'))(
    '%s gets requests without it, and once one with it',
    async (_, refuse, left) => {
      await start(refuse);
      const model = chat();
      expect(await ask(model)).toBe('The sources say so [1].');
      const requests = server.requests.length;
      expect(left(server.requests.at(-1)?.body ?? {})).toBeUndefined();
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Answer from the sources.');
      await ask(model);
      expect(server.requests).toHaveLength(requests + 1);
    },
  );

  it('max_tokens gets max_completion_tokens', async () => {
    await start((body) =>
      'max_tokens' in body
        ? refused(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          )
        : undefined,
    );
    await ask(chat());
    expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 77, temperature: 0 });
  });

  it.each(['ollama', 'google-genai', 'anthropic', 'azure'] as const)(
    'the temperature works at %s',
    async (provider) => {
      await start((body) =>
        JSON.stringify(body).includes('"temperature":0') || JSON.stringify(body).includes('"top_p":0.5')
          ? refused('`temperature` and top_p are deprecated for this model.')
          : undefined,
      );
      expect(await ask(chat(provider))).toBe('The sources say so [1].');
    },
  );

  it('a request for another reason is asked once', async () => {
    for (const message of ['The model `x` does not exist', 'No such thing', '']) {
      await start(() => refused(message));
      await expect(ask(chat())).rejects.toMatchObject({ kind: 'permanent', reason: 'refused' });
      expect(server.requests).toHaveLength(1);
      if (message !== '') await server.close();
    }
  });
});

describe('the reason of a refusal', () => {
  it.each<[reply: Partial<ErrorReply>, expected: Partial<ModelError>]>([
    [
      { status: 401, message: 'Incorrect API key provided' },
      { kind: 'permanent', reason: 'key' },
    ],
    [
      { status: 403, message: 'You are not allowed' },
      { kind: 'permanent', reason: 'key' },
    ],
    [
      { status: 400, message: 'API key not valid. Please pass a valid API key.' },
      { kind: 'permanent', reason: 'key' },
    ],
    [
      {
        status: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      },
      { kind: 'permanent', reason: 'quota' },
    ],
    [
      {
        status: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
      },
      { kind: 'permanent', reason: 'quota' },
    ],
    [
      { status: 402, message: 'Insufficient Balance' },
      { kind: 'permanent', reason: 'quota' },
    ],
    [
      { status: 400, message: 'Your credit balance is too low to access the API.' },
      { kind: 'permanent', reason: 'quota' },
    ],
    [
      { status: 403, message: 'Access denied: insufficient credits, payment required' },
      { kind: 'permanent', reason: 'quota' },
    ],
    [
      { status: 429, message: 'Rate limit reached for requests', retryAfter: '7' },
      { kind: 'rate-limited', reason: 'rate-limit', retryAfterMs: 7_000 },
    ],
    [
      { status: 429, message: 'You exceeded your current quota. Please retry in 34s.', retryAfter: '34' },
      { kind: 'rate-limited', reason: 'rate-limit', retryAfterMs: 34_000 },
    ],
    [
      { status: 429, message: 'Too many requests' },
      { kind: 'rate-limited', reason: 'rate-limit' },
    ],
    [
      { status: 400, message: "This model's maximum context length is 4096 tokens." },
      { kind: 'permanent', reason: 'too-long' },
    ],
    [
      { status: 400, message: 'the request exceeds the available context size' },
      { kind: 'permanent', reason: 'too-long' },
    ],
    [
      { status: 404, message: 'model "x" not found, try pulling it first' },
      { kind: 'permanent', reason: 'not-found' },
    ],
    [
      { status: 500, message: 'CUDA error' },
      { kind: 'transient', reason: 'unavailable' },
    ],
  ])('%j', async (reply, expected) => {
    await start(() => refused('', reply));
    for (const provider of ['openai', 'azure', 'anthropic', 'google-genai', 'mistralai', 'ollama'] as const) {
      if (reply.code && provider === 'ollama') continue;
      const error: unknown = await ask(chat(provider)).catch((thrown: unknown) => thrown);
      expect([provider, error]).toEqual([
        provider,
        expect.objectContaining({ ...expected, providerSentence: reply.message }),
      ]);
    }
  });

  it('is a finish reason if the content filter refuses the prompt', async () => {
    const message =
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
    await start(() => refused(message, { code: 'content_filter' }));
    const events: unknown[] = [];
    for await (const event of chat('azure').stream(REQUEST, { signal: new AbortController().signal }))
      events.push(event);
    expect(events).toEqual([{ finishReason: 'content_filter' }]);
  });

  it('has the sentence of the provider without keys and without the prompt', async () => {
    const message = `Incorrect key ${KEY} or sk-proj-abcdefghijkl; asked: a private question about salaries. Answer from the sources`;
    await start(() => refused(message, { status: 401 }));
    const error: unknown = await ask(chat()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ providerSentence: 'Incorrect key … or …; asked: …. …' });
    expect(`${JSON.stringify(error)} ${String((error as Error).stack)}`).not.toMatch(
      /do-not-leak|sk-proj|private|Answer from/,
    );
  });
});
