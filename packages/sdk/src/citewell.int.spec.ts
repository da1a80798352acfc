import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Citewell } from './citewell.js';
import {
  AccessDeniedError,
  CitewellError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UsageLimitError,
} from './citewell-error.js';
import { collect } from './collect.fixtures.js';
import { failure, hangUp, json, ScriptedServer, stream } from './scripted-server.fixtures.js';

const RESPONSE = {
  answer: 'Hello',
  sources: [],
  conversationId: 'c',
  visitorId: 'v',
  messageId: 'm',
  abstained: false,
  finishReason: 'stop' as const,
};
const ENDING = `event: endpoint_response\ndata: ${JSON.stringify(RESPONSE)}\n\ndata: [DONE]\n\n`;
const ANSWER = `event: answer\ndata: Hello\n\n${ENDING}`;

describe('a request', () => {
  it('sends the key, the query and the body', async () => {
    await using server = await ScriptedServer.start(json({ id: 'a' }));
    await server.client().agents.update('a/b', { name: 'n', temperature: undefined });
    const { method, url, headers, body } = server.last;
    expect([method, url]).toEqual(['PATCH', '/api/agents/a%2Fb']);
    expect(headers.authorization).toBe('Bearer cw_test');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['prefer']).toBe('handling=strict');
    expect(body.toString()).toBe('{"name":"n"}');
  });

  it('uses the method and path of every endpoint', async () => {
    await using server = await ScriptedServer.start(json({ messages: [] }));
    const client = server.client();
    const file = { file: new Blob(['x']) };
    const calls: [string, () => Promise<unknown>][] = [
      ['POST /api/agents', () => client.agents.create({ name: 'a' })],
      ['GET /api/agents/1', () => client.agents.get('1')],
      ['GET /api/agents/1/profile', () => client.agents.profile('1')],
      ['POST /api/agents/1/query', () => client.agents.queryAsVisitor('1', { query: 'q' })],
      ['DELETE /api/agents/1', () => client.agents.delete('1')],
      ['POST /api/agents/1/query', () => client.agents.query('1', { query: 'q' })],
      ['POST /api/datastores', () => client.datastores.create({ name: 'd' })],
      ['GET /api/datastores/1', () => client.datastores.get('1')],
      ['GET /api/datastores/1/progress', () => client.datastores.progress('1')],
      ['PATCH /api/datastores/1', () => client.datastores.update('1', {})],
      ['DELETE /api/datastores/1', () => client.datastores.delete('1')],
      ['POST /api/datastores/1/query', () => client.datastores.query('1', { query: 'q' })],
      ['POST /api/datastores/1/explain', () => client.datastores.explain('1', { query: 'q' })],
      ['POST /api/datastores/update/1', () => client.datastores.updateText('1', { id: 'x', text: 't' })],
      ['POST /api/datastores/upsert/1', () => client.datastores.upsertTexts('1', { documents: [] })],
      ['POST /api/external/datastores/file-upload/1', () => client.datastores.uploadFile('1', file)],
      [
        'POST /api/datasources',
        () => client.datasources.create({ type: 'text', datastoreId: '1', text: 't' }),
      ],
      ['POST /api/datasources/batch', () => client.datasources.createBatch({ datastoreId: '1', items: [] })],
      ['POST /api/datasources', () => client.datasources.upload({ datastoreId: '1', ...file })],
      ['PUT /api/datasources/1/file', () => client.datasources.replaceFile('1', file)],
      ['GET /api/datasources/1', () => client.datasources.get('1')],
      ['PATCH /api/datasources/1', () => client.datasources.update('1', { customId: null })],
      ['DELETE /api/datasources/1', () => client.datasources.delete('1')],
      ['POST /api/datasources/1/sync', () => client.datasources.sync('1')],
      ['POST /api/datasources/1/cancel', () => client.datasources.cancel('1')],
      ['GET /api/datasources/1/text?start=0&end=9', () => client.datasources.text('1', { start: 0, end: 9 })],
      ['GET /api/datasources/1/tables', () => client.datasources.tables('1')],
      ['POST /api/datasources/1/tables/2/rows', () => client.datasources.tableRows('1', 2, { limit: 5 })],
      [
        'GET /api/datasources/1/urls?outcome=skipped',
        () => client.datasources.urls('1', { outcome: 'skipped' }).first(),
      ],
      ['GET /api/datasources/1/chunks', () => client.datasources.chunks('1').first()],
      ['GET /api/datasources/1/runs?limit=3', () => client.datasources.runs('1', { limit: 3 }).first()],
      [
        'POST /api/sites/preview',
        () => client.datasources.previewSite({ config: { source_url: 'https://a.example' } }),
      ],
      ['GET /api/datasources?name=a+b', () => client.datasources.list({ name: 'a b' }).first()],
      ['GET /api/datasources?status=error', () => client.datasources.list({ status: 'error' }).first()],
      [
        'POST /api/evaluations',
        () => client.evaluations.create({ configuration: { agentId: '1' }, csv: 'question' }),
      ],
      ['GET /api/evaluations', () => client.evaluations.list().first()],
      ['GET /api/evaluations/1', () => client.evaluations.get('1')],
      ['GET /api/evaluations/1/report', () => client.evaluations.report('1')],
      ['DELETE /api/evaluations/1', () => client.evaluations.delete('1')],
      ['GET /api/conversations?agentId=1', () => client.conversations.list({ agentId: '1' }).first()],
      [
        'GET /api/exports/conversations?unanswered=true&rating=bad',
        async () => (await client.conversations.export({ unanswered: true, rating: 'bad' })).cancel(),
      ],
      ['POST /api/agents/1/answers/2/stop', () => client.agents.stop('1', '2')],
      ['POST /api/agents/1/answers/2/stop', () => client.agents.stopAsVisitor('1', '2', 't')],
      ['GET /api/conversations/1', () => client.conversations.get('1')],
      [
        'GET /api/conversations/1?agentId=2',
        () => client.conversations.messages('1', { agentId: '2' }).first(),
      ],
      ['DELETE /api/conversations/1?agentId=2', () => client.conversations.delete('1', { agentId: '2' })],
      [
        'POST /api/conversations/1/messages/2/feedback',
        () => client.conversations.rate('1', '2', { rating: 'good' }),
      ],
      ['DELETE /api/visitors/1', () => client.conversations.deleteVisitor('1')],
      ['POST /api/session', () => client.session.signIn({ key: 'k' })],
      ['GET /api/session', () => client.session.get()],
      ['DELETE /api/session', () => client.session.signOut()],
      ['PATCH /api/profile', () => client.session.changeProfile({ name: 'n' })],
      ['GET /api/sessions', () => client.session.list()],
      ['DELETE /api/sessions/1', () => client.session.delete('1')],
      ['POST /api/people', () => client.people.invite({ email: 'a@b', role: 'member' })],
      ['GET /api/people', () => client.people.list().first()],
      ['POST /api/people/1/link', () => client.people.createLink('1')],
      ['PATCH /api/people/1', () => client.people.update('1', { role: 'editor' })],
      ['DELETE /api/people/1', () => client.people.delete('1')],
      ['POST /api/api-keys', () => client.apiKeys.create({ name: 'k', scopes: ['read'] })],
      ['GET /api/api-keys', () => client.apiKeys.list().first()],
      ['DELETE /api/api-keys/1', () => client.apiKeys.delete('1')],
      ['GET /api/usage', () => client.usage.get()],
      ['GET /api/usage/history?months=3', () => client.usage.history({ months: 3 })],
      ['GET /api/health-report', () => client.health.get()],
      ['GET /api/models', () => client.models.list()],
      ['GET /api/models/embedding', () => client.models.embedding()],
      ['PUT /api/models/embedding', () => client.models.chooseEmbedding({ name: 'builtin' })],
      ['GET /api/models/chat', () => client.models.chat()],
      ['PUT /api/models/chat', () => client.models.chooseChat({ provider: 'ollama', model: 'm' })],
      ['DELETE /api/models/chat', () => client.models.removeChat()],
      ['POST /api/models/chat/test', () => client.models.testChat({ provider: 'ollama', model: 'm' })],
      ['GET /api/models/chat/own', () => client.models.ownChat()],
      ['PUT /api/models/chat/own', () => client.models.chooseOwnChat({ provider: 'openai', model: 'm' })],
      ['DELETE /api/models/chat/own', () => client.models.removeOwnChat()],
      ['POST /api/models/chat/own/test', () => client.models.testOwnChat({ provider: 'openai', model: 'm' })],
      ['POST /api/models/test', () => client.models.test({ kind: 'chat' })],
      ['POST /api/organizations', () => client.organizations.create({ name: 'o' })],
      ['GET /api/organizations', () => client.organizations.list().first()],
      ['GET /api/organizations/1', () => client.organizations.get('1')],
      ['DELETE /api/organizations/1', () => client.organizations.delete('1')],
    ];
    for (const [expected, call] of calls) {
      await call();
      expect(`${server.last.method} ${server.last.url}`).toBe(expected);
    }
  });

  it('throws an error with the fields of the error envelope', async () => {
    const details = [{ path: 'query', message: 'must not be empty' }];
    const envelope = {
      error: 'INVALID_REQUEST',
      message: 'query: must not be empty',
      details,
      requestId: 'r-9',
    };
    await using server = await ScriptedServer.start(json(envelope, { status: 400 }));
    await expect(server.client().agents.query('a', { query: '' })).rejects.toMatchObject({
      name: 'CitewellError',
      status: 400,
      code: envelope.error,
      message: envelope.message,
      requestId: 'r-9',
      retryAfterSeconds: null,
      details,
    });
  });

  it.each([
    ['INVALID_REQUEST', InvalidRequestError],
    ['UNAUTHORIZED', AccessDeniedError],
    ['FORBIDDEN', AccessDeniedError],
    ['NOT_FOUND', NotFoundError],
    ['CONFLICT', ConflictError],
    ['USAGE_LIMIT', UsageLimitError],
    ['RATE_LIMIT', RateLimitError],
    ['GONE', CitewellError],
    ['constructor', CitewellError],
  ])('throws the class of the code %s, also inside a stream', async (code, errorClass) => {
    await using server = await ScriptedServer.start(
      failure(400, code),
      stream(`data: [ERROR] ${code}: No.\n\n`),
    );
    const client = server.client({ maxRetries: 0 });
    const error = await client.usage.get().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ constructor: errorClass, code });
    if (!/^[A-Z]/.test(code)) return;
    await expect(collect(client.agents.stream('a', { query: 'q' }))).rejects.toMatchObject({
      constructor: errorClass,
      code,
    });
  });

  it('throws for a response that does not follow the API', async () => {
    const html = (status: number) => (response: import('node:http').ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Hi</h1>');
    await using server = await ScriptedServer.start(html(404), html(200), html(200));
    const client = server.client();
    await expect(client.usage.get()).rejects.toMatchObject({ code: 'HTTP_404', status: 404 });
    await expect(client.usage.get()).rejects.toMatchObject({ code: 'INVALID_RESPONSE', status: 200 });
    await expect(collect(client.agents.stream('a', { query: 'q' }))).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
    });
  });

  it.each([
    ['no server', { baseUrl: 'http://127.0.0.1:9' }, /^http:\/\/127\.0\.0\.1:9\/api could not be reached/],
    ['another server', {}, /^http:\/\/127\.0\.0\.1:\d+\/api does not seem to be a Citewell server/],
  ])('names the address of %s', async (_, options, message) => {
    await using server = await ScriptedServer.start(
      (response) => void response.writeHead(404).end('<h1>Not found</h1>'),
    );
    const client = server.client({ maxRetries: 0, ...options });
    await expect(client.usage.get()).rejects.toThrow(message);
  });

  it('does not expose its key in a dump or in an error', () => {
    expect(inspect(new Citewell({ baseUrl: 'http://x', apiKey: 'cw_secret' }), { depth: 9 })).not.toMatch(
      /cw_secret/,
    );
    expect(() => new Citewell({ baseUrl: 'http://x', apiKey: 'cw_secret\n' })).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.not.stringContaining('cw_secret') }),
    );
  });
});

describe('retries', () => {
  it('repeat a GET after Retry-After and after a broken connection', async () => {
    await using server = await ScriptedServer.start(
      failure(429, 'RATE_LIMIT', { 'retry-after': '0' }),
      hangUp,
      json({ month: '2026-01' }),
    );
    expect((await server.client().usage.get()).month).toBe('2026-01');
    expect(server.requests).toHaveLength(3);
  });

  it('stop after maxRetries with the last error', async () => {
    await using server = await ScriptedServer.start(
      failure(503, 'UPSTREAM_UNAVAILABLE', { 'retry-after': '0' }),
    );
    await expect(server.client().usage.get()).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryAfterSeconds: 0,
    });
    expect(server.requests).toHaveLength(3);
    await expect(server.client({ maxRetries: 0 }).usage.get()).rejects.toThrow();
    expect(server.requests).toHaveLength(4);
  });

  it('do not repeat a request that may have had an effect', async () => {
    await using server = await ScriptedServer.start(
      failure(503, 'UPSTREAM_UNAVAILABLE', { 'retry-after': '0' }),
    );
    const client = server.client();
    await expect(client.agents.create({ name: 'a' })).rejects.toThrow();
    await expect(client.datasources.upload({ datastoreId: '1', file: new Blob(['x']) })).rejects.toThrow();
    await expect(client.agents.delete('1')).rejects.toThrow();
    await expect(collect(client.agents.stream('1', { query: 'q' }))).rejects.toThrow();
    expect(server.requests).toHaveLength(4);
  });

  it('repeat a request with an idempotency key, also while the first request is in progress', async () => {
    await using server = await ScriptedServer.start(
      hangUp,
      failure(409, 'CONFLICT', { 'retry-after': '0' }),
      json({ id: 'd' }),
    );
    const file = new File(['content'], 'a.txt', { type: 'text/plain' });
    const created = await server
      .client()
      .datasources.upload({ datastoreId: '1', file }, { idempotencyKey: 'k-1' });
    expect(created.id).toBe('d');
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1', 'k-1']);
    expect(server.last.body.toString()).toMatch(/content/);
  });

  it('stop immediately when the caller aborts', async () => {
    await using server = await ScriptedServer.start(failure(429, 'RATE_LIMIT', { 'retry-after': '30' }));
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await expect(server.client().usage.get({ signal: controller.signal })).rejects.toBe(reason);
  });

  it('stop an attempt after its timeout', async () => {
    await using server = await ScriptedServer.start(() => undefined);
    await expect(server.client({ timeoutMs: 30, maxRetries: 0 }).usage.get()).rejects.toMatchObject({
      constructor: TimeoutError,
      code: 'TIMEOUT',
      status: 0,
    });
  });

  it('do not report an invalid argument as a network failure', async () => {
    await using server = await ScriptedServer.start(json({}));
    await expect(server.client().agents.create({ name: 'a' }, { idempotencyKey: 'ä' })).rejects.toThrow(
      TypeError,
    );
    expect(server.requests).toHaveLength(0);
  });
});

it('a list follows its cursors, with its filters, at the address of the client', async () => {
  const next = { headers: { link: '<http://inner.invalid/other?cursor=c1>; rel="next"' } };
  await using server = await ScriptedServer.start(
    json([{ id: '3' }, { id: '2' }], next),
    json([{ id: '1' }]),
  );
  const list = server.client().datasources.list({ datastoreId: 's', limit: 2 });
  expect((await collect(list)).map(({ id }) => id)).toEqual(['3', '2', '1']);
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/api/datasources?datastoreId=s&limit=2',
    '/api/datasources?datastoreId=s&limit=2&cursor=c1',
  ]);
});

it('an upload refuses a file that is not a Blob', async () => {
  await using server = await ScriptedServer.start(json({ id: 'd' }));
  // As JavaScript may call it.
  const file = './guide.md' as unknown as Blob;
  await expect(server.client().datasources.upload({ datastoreId: 's', file })).rejects.toThrow(
    /must be a Blob/,
  );
});

it('an upload is a form with the file as its last part', async () => {
  await using server = await ScriptedServer.start(json({ id: 'd' }));
  const file = new Blob(['content'], { type: 'text/plain' });
  await server.client().datasources.upload({ datastoreId: 's', file, fileName: 'übung.txt', customId: 'c' });
  const body = server.last.body.toString();
  expect(server.last.headers['content-type'] ?? '').toMatch(/^multipart\/form-data; boundary=/);
  expect([...body.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'type',
    'datastoreId',
    'fileName',
    'custom_id',
    'file',
  ]);
  expect(body).toMatch(/filename="übung\.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/);
});

it('a file keeps its name, its type and its bytes', async () => {
  const bytes = Buffer.alloc(300_000, 7);
  await using server = await ScriptedServer.start((response) => {
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''%C3%BCbung.pdf",
    });
    response.end(bytes);
  });
  const client = server.client();
  const { name, mimeType, stream: content } = await client.datasources.file('1');
  expect([name, mimeType]).toEqual(['übung.pdf', 'application/pdf']);
  expect(Buffer.concat(await collect(content)).equals(bytes)).toBe(true);
  await (await client.datasources.file('1')).stream.cancel();
});

describe('a stream', () => {
  it('yields events as they arrive', async () => {
    await using server = await ScriptedServer.start(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(ANSWER.replaceAll('\n', '\r\n'))) response.write(Buffer.of(byte));
      response.end();
    });
    const events = await collect(server.client().agents.stream('a', { query: 'q' }));
    expect(events).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'response', response: RESPONSE },
    ]);
    expect(JSON.parse(server.last.body.toString())).toEqual({ query: 'q', streaming: true });
    expect(server.last.headers.accept).toBe('text/event-stream');
  });

  it('that is rejected throws before the first event', async () => {
    await using server = await ScriptedServer.start(failure(402, 'USAGE_LIMIT'));
    await expect(collect(server.client().agents.stream('a', { query: 'q' }))).rejects.toMatchObject({
      code: 'USAGE_LIMIT',
      status: 402,
    });
  });

  it('that ends early throws after the received events', async () => {
    const incomplete = 'event: answer\ndata: Hel\n\n';
    await using server = await ScriptedServer.start(stream(incomplete), (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(incomplete, () => response.destroy());
    });
    for (const code of ['STREAM_INCOMPLETE', 'NETWORK']) {
      const texts: unknown[] = [];
      await expect(
        (async () => {
          for await (const event of server.client().agents.stream('a', { query: 'q' })) texts.push(event);
        })(),
      ).rejects.toMatchObject({ code });
      expect(texts).toEqual([{ type: 'text', text: 'Hel' }]);
    }
  });

  it('has a timeout between chunks, not for its whole length, and not while the caller works', async () => {
    const slow = async (response: import('node:http').ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let index = 0; index < 6; index += 1) {
        response.write(': ping\n\n');
        await sleep(50);
      }
      response.end(ANSWER);
    };
    await using server = await ScriptedServer.start(slow, stream(ANSWER), (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n');
    });
    const client = server.client({ timeoutMs: 200 });
    expect(await collect(client.agents.stream('a', { query: 'q' }))).toHaveLength(2);
    for await (const event of client.agents.stream('a', { query: 'q' })) {
      if (event.type === 'text') await sleep(300);
    }
    await expect(collect(client.agents.stream('a', { query: 'q' }))).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('that the caller leaves or aborts is closed at the server', async () => {
    const closed: (() => void)[] = [];
    const endless = (response: import('node:http').ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: answer\ndata: Hel\n\n');
      response.on('close', () => closed.shift()?.());
    };
    await using server = await ScriptedServer.start(endless);
    const client = server.client();
    const nextClose = (): Promise<void> => new Promise((resolve) => void closed.push(resolve));

    const left = nextClose();
    for await (const event of client.agents.stream('a', { query: 'q' })) if (event.type === 'text') break;
    await left;

    const aborted = nextClose();
    const controller = new AbortController();
    const reason = new Error('enough');
    await expect(
      (async () => {
        for await (const event of client.agents.stream('a', { query: 'q' }, { signal: controller.signal }))
          if (event.type === 'text') controller.abort(reason);
      })(),
    ).rejects.toBe(reason);
    await aborted;
  });
});

describe('the events of a datasource', () => {
  const event = (value: unknown): string => `event: datasource\ndata: ${JSON.stringify(value)}\n\n`;

  it('end when no run is in progress or the datasource is deleted', async () => {
    const running = event({ id: 'd', progress: { stage: 'parsing' } });
    await using server = await ScriptedServer.start(
      stream(running, ': ping\n\n', event({ id: 'd', progress: null })),
      stream(running, 'event: deleted\ndata: {}\n\n'),
      stream(running),
    );
    const events = () => collect(server.client().datasources.events('d'));
    expect(await events()).toHaveLength(2);
    expect(await events()).toHaveLength(1);
    await expect(events()).rejects.toMatchObject({ code: 'STREAM_INCOMPLETE' });
  });
});

it('waitUntilSynched polls until the datasource is synched', async () => {
  await using server = await ScriptedServer.start(
    json({ id: 'd', status: 'running', progress: { stage: 'parsing' }, error: null }),
    json({ id: 'd', status: 'synched', progress: null, error: null }),
  );
  const seen: string[] = [];
  await server.client().datasources.waitUntilSynched('d', { onProgress: ({ status }) => seen.push(status) });
  expect(seen).toEqual(['running', 'synched']);
});
