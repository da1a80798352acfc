import { type ChatProvider, type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChatModel } from './chat.model.js';
import type { ChatEvent, ChatRequest } from './model.port.js';

const ARGUMENTS = { sql: 'SELECT count(*) FROM t1' };
const REQUEST: ChatRequest = {
  messages: [{ role: 'user', content: 'How many?' }],
  tools: [
    {
      name: 'query_tables',
      description: 'Runs SQL.',
      parameters: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
    },
  ],
};

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const openAi = (delta: object): string =>
  sse({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta }] });
const openAiCall = (id: string, type?: string): string =>
  openAi({
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id, type, function: { name: 'query_tables', arguments: '{"sql":"SELECT ' } }],
  }) + openAi({ tool_calls: [{ index: 0, function: { arguments: 'count(*) FROM t1"}' } }] });
const anthropic = (type: string, fields: object): string => `event: ${type}\n${sse({ type, ...fields })}`;

/** The frames of a call, the provider's word for the end, and where the request has the name of the tool. */
const CALLS: Record<ChatProvider, readonly [frames: string, finish: string, offered: RegExp]> = {
  openai: [openAiCall('call_1', 'function'), 'tool_calls', /"tools":\[\{"type":"function","function":/],
  azure: [openAiCall('call_1', 'function'), 'tool_calls', /"tools":\[\{"type":"function","function":/],
  anthropic: [
    anthropic('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'query_tables', input: {} },
    }) +
      ['{"sql":"SELECT count(*)', ' FROM t1"}']
        .map((partial_json) =>
          anthropic('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json } }),
        )
        .join('') +
      anthropic('content_block_stop', { index: 1 }),
    'tool_use',
    /"tools":\[\{"name":"query_tables","description":"Runs SQL.","input_schema":/,
  ],
  'google-genai': [
    sse({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: [{ functionCall: { name: 'query_tables', args: ARGUMENTS } }] },
        },
      ],
    }),
    'STOP',
    /"functionDeclarations":\[\{"name":"query_tables"/,
  ],
  mistralai: [
    sse({
      id: 'x',
      model: 'm',
      choices: [
        {
          index: 0,
          delta: {
            content: '',
            tool_calls: [
              {
                id: 'abcdefghi',
                index: 0,
                function: { name: 'query_tables', arguments: JSON.stringify(ARGUMENTS) },
              },
            ],
          },
          finish_reason: null,
        },
      ],
    }),
    'tool_calls',
    /"tools":\[\{"type":"function","function":/,
  ],
  ollama: [
    `${JSON.stringify({
      model: 'm',
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'query_tables', arguments: ARGUMENTS } }],
      },
      done: false,
    })}\n`,
    'stop',
    /"tools":\[\{"type":"function","function":/,
  ],
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const open = (provider: ChatProvider) =>
  createChatModel({ provider, model: 'test-chat', baseUrl: server.baseUrls[provider], apiKey: 'key' });

async function read(model: ReturnType<typeof open>, request = REQUEST): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    if (!('usage' in event)) events.push(event);
  return events;
}

describe.each(Object.keys(CALLS) as ChatProvider[])('tools of %s', (provider) => {
  const [frame, finish, offered] = CALLS[provider];

  it('are offered, and a call is no text of the answer', async () => {
    server.next({ kind: 'chat', deltas: ['Let me ', 'count.', { frame }], finish });
    const events = await read(open(provider));
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(offered);
    expect(events.slice(-3, -1)).toEqual([
      { retracted: true },
      { toolCall: { name: 'query_tables', arguments: ARGUMENTS } },
    ]);
  });

  it('are described in the prompt of a model that refuses them', async () => {
    const model = open(provider);
    server.next({ kind: 'error', status: 400, message: 'test-chat does not support tools' });
    server.next({
      kind: 'chat',
      deltas: [
        '```json\n{"tool": "query_tables", "argu',
        'ments": {"sql": "SELECT count(*)\n FROM t1"}}\n```',
      ],
    });
    const events = await read(model);
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(offered);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('query_tables: Runs SQL.');
    expect(events[0]).toEqual({
      toolCall: { name: 'query_tables', arguments: { sql: 'SELECT count(*)  FROM t1' } },
    });
    server.next({ kind: 'chat', deltas: ['Twelve.'] });
    expect((await read(model))[0]).toEqual({ text: 'Twelve.' });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('query_tables: Runs SQL.');
  });
});
