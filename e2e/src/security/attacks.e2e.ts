import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeySchema, apiKeyWithSecretSchema, auditEventSchema, SCOPES } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { EmbeddedDeployment, startEmbedded } from '../deployments/embedded.deployment.js';

const MEGABYTE = 1024 * 1024;
/** A request must not keep others waiting longer than this. Slow test machines get an allowance. */
const LONGEST_STALL_MS = 1_000;

/** What a hostile client tries. Each test was an attack that succeeded. */
describe('a hostile client', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: '0' });
    tenant = await Tenant.create(deployment);
  });
  afterAll(() => deployment.stop());

  const keyWith = async (scopes: readonly string[], fields: object = {}): Promise<ApiClient> => {
    const created = await tenant.api.post('/api-keys', { name: 'key', scopes, ...fields });
    return tenant.api.with(created.as(apiKeyWithSecretSchema).key);
  };

  async function openConnection(text: string): Promise<Socket> {
    const { hostname, port } = new URL(deployment.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  /** Longest time in which the server answered nothing, while `attack` ran. */
  async function longestStall(attack: () => Promise<unknown>): Promise<number> {
    let longest = 0;
    let isOver = false;
    const probe = (async () => {
      while (!isOver) {
        const started = performance.now();
        await fetch(`${deployment.origin}/health/live`);
        longest = Math.max(longest, performance.now() - started);
        await sleep(5);
      }
    })();
    try {
      await attack();
    } finally {
      isOver = true;
      await probe;
    }
    return longest;
  }

  it('is refused for its scopes before it sends the body', async () => {
    const reader = await keyWith(['read']);
    const socket = await openConnection(
      `POST /api/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${100 * MEGABYTE}\r\n\r\n{`,
    );
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 403 [\s\S]*FORBIDDEN/);
    socket.destroy();
  });

  it.each([
    ['millions of arrays', `{"type":"text","a":[${'[],'.repeat(4 * MEGABYTE)}[]]}`, 'INVALID_REQUEST'],
    ['deep nesting', `{"a":${'['.repeat(MEGABYTE)}${']'.repeat(MEGABYTE)}}`, 'INVALID_REQUEST'],
    [
      'many distinct keys',
      `{${Array.from({ length: MEGABYTE }, (_, n) => `"k${n}":1`).join()}}`,
      'INVALID_REQUEST',
    ],
    [
      'a text of 30 MB',
      JSON.stringify({ type: 'text', text: 'x'.repeat(30 * MEGABYTE) }),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'long names of unknown fields',
      `{"type":"text","datastoreId":"d","text":"t",${Array.from({ length: 15 }, (_, n) => `"${n}${'x'.repeat(MEGABYTE)}":1`).join()}}`,
      'INVALID_REQUEST',
    ],
  ] as const)('does not stall the service with %s', async (_, body, code) => {
    const stall = await longestStall(async () => {
      const headers = { 'content-type': 'application/json', prefer: 'handling=strict' };
      const send = () => tenant.api.call('POST', '/datasources', { body, headers });
      // A POST fails on a connection that the server closes at this moment, after it has refused an earlier body.
      (await send().catch(send)).assertError(code);
    });
    expect(stall).toBeLessThan(LONGEST_STALL_MS);
  });

  it('cannot lock an organization out of its keys', async () => {
    const other = await Tenant.create(deployment);
    const [first] = (await other.api.get('/api-keys')).as(apiKeySchema.array());
    (await other.api.delete(`/api-keys/${first?.id}`)).assertError('CONFLICT');
    const second = (await other.api.post('/api-keys', { name: 'second', scopes: ['admin'] })).as(
      apiKeyWithSecretSchema,
    );
    (await other.api.delete(`/api-keys/${first?.id}`)).assertOk();
    (await other.api.with(second.key).delete(`/api-keys/${second.id}`)).assertError('CONFLICT');
    const created = await deployment.citewell('keys', 'create', '--organization', other.organizationId);
    expect(created.code).toBe(0);
    const key = created.output.trim();
    const keys = (await other.api.with(key).get('/api-keys')).as(apiKeySchema.array());
    expect(keys[0]?.scopes.toSorted()).toEqual([...SCOPES].toSorted());
    const [event] = (await other.api.with(key).get('/audit-events')).as(auditEventSchema.array());
    expect(event).toMatchObject({
      actor: { kind: 'operator' },
      action: 'key.created',
      target: { id: keys[0]?.id },
    });
  });

  it('cannot create a key with a restriction that would be ignored', async () => {
    for (const field of ['agentId', 'allowedOrigins', 'expires_at']) {
      const refused = await tenant.api.post('/api-keys', { name: 'k', scopes: ['read'], [field]: ['x'] });
      expect(refused.assertError('INVALID_REQUEST').message).toMatch(new RegExp(field));
    }
  });

  it('cannot use a key after its expiry', async () => {
    const expiresAt = new Date(Date.now() + 1_500);
    const brief = await keyWith(['read'], { expiresAt: expiresAt.toISOString() });
    (await brief.get('/agents')).assertOk();
    await sleep(expiresAt.getTime() - Date.now() + 50);
    (await brief.get('/agents')).assertError('UNAUTHORIZED');
  });

  it.each<[request: string, status: number]>([
    ['GET /assets/..%2findex.html', 404],
    ['HEAD /assets/..%2findex.html', 404],
    ['GET /assets/..%5cindex.html', 404],
    ['GET /assets/%2e%2e%2findex.html', 404],
    ['GET /assets/..%252findex.html', 404],
    ['GET /assets/%00', 404],
    ['GET /assets/..', 404],
    ['GET /assets/.', 404],
    ['GET /assets/%2fetc%2fpasswd', 404],
    ['GET /assets/%c0%ae%c0%ae%2findex.html', 400],
    ['GET /assets/..;/index.html', 404],
    [`GET /assets/${'a'.repeat(600)}`, 404],
    ['GET /widget.js/..%2f', 404],
    ['GET /widget.js HTTP/1.1\r\nRange: bytes=999999999-', 416],
    ['GET / HTTP/1.1\r\nRange: bytes=5-1', 200],
    ['GET /favicon.svg HTTP/1.1\r\nRange: bytes=5-1', 416],
    ['GET /favicon.svg HTTP/1.1\r\nIf-Match: "x"', 412],
    ['GET /widget.js HTTP/1.1\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT', 412],
  ])('gets no server error with %s', async (request, status) => {
    const [line = '', ...headers] = request.split('\r\n');
    const head = [line.replace(/(?: HTTP\/1\.1)?$/, ' HTTP/1.1'), 'Host: localhost', ...headers];
    const socket = await openConnection(`${head.join('\r\n')}\r\n\r\n`);
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.destroy();
    expect(deployment.processes['standalone']?.output).not.toContain('request failed');
  });

  /** Sends a request whose headers `fetch` would not send. */
  async function respond(
    method: string,
    path: string,
    headers: readonly string[],
    body = '',
  ): Promise<string> {
    const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const head = [`${method} ${path} HTTP/1.1`, ...headers, ...length, 'Connection: close'];
    const socket = await openConnection(`${head.join('\r\n')}\r\n\r\n${body}`);
    return text(socket);
  }

  it('cannot use a name of its own for the server', async () => {
    const { host } = new URL(deployment.origin);
    const signIn = (...headers: string[]): Promise<string> =>
      respond('POST', '/api/session', headers, JSON.stringify({ key: deployment.apiKey }));
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80'])
      expect(await signIn(`Host: ${name}`, `Origin: http://${name}`)).toMatch(
        /^HTTP\/1\.1 403 [\s\S]*"FORBIDDEN"[\s\S]*PUBLIC_URL/,
      );
    const forwarded = await signIn('Host: evil.example', `X-Forwarded-Host: ${host}`);
    expect(forwarded).toMatch(/^HTTP\/1\.1 403 /);
    expect(await signIn(`Host: ${host}`, 'Host: evil.example')).toMatch(/^HTTP\/1\.1 400 /);
    const signedIn = await signIn('Host: LOCALHOST:80', 'Origin: http://localhost');
    const cookie = /citewell_session=[\w-]+/.exec(signedIn)?.[0] ?? '';
    const session = ['Citewell-Csrf: 1', `Cookie: ${cookie}`];
    const read = (...headers: string[]): Promise<string> =>
      respond('GET', '/api/session', [...headers, ...session]);
    expect(await read('Host: localhost')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await read('Host: evil.example', 'Origin: http://evil.example')).toMatch(/PUBLIC_URL/);
    expect(await read('Host: localhost', 'Origin: null')).toMatch(/^HTTP\/1\.1 403 /);
    // A key in a header proves who asks, under any name.
    const authorization = `Authorization: Bearer ${deployment.apiKey}`;
    expect(await respond('GET', '/api/agents', ['Host: evil.example', authorization])).toMatch(/ 200 /);
  });

  it('cannot ask with a publishable key from pages of a name of its own', async () => {
    const { id: agentId } = await tenant.agent({ visibility: 'public' });
    const { key } = await keyWith(['publishable'], { agentId, allowedOrigins: ['https://shop.example'] });
    const profile = (name: string): Promise<string> =>
      respond('GET', `/api/agents/${agentId}/profile`, [
        `Host: ${name}`,
        `Origin: http://${name}`,
        `Authorization: Bearer ${key}`,
      ]);
    expect(await profile('evil.example')).toMatch(/^HTTP\/1\.1 403 [\s\S]*PUBLIC_URL/);
    expect(await profile('localhost.evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    for (const own of ['localhost:3000', '127.0.0.1', '192.0.2.7:3000', '[::1]:3000'])
      expect(await profile(own)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('cannot try many keys to sign in', async () => {
    const api = new ApiClient(deployment.baseUrl, '');
    const wrong = await Promise.all(
      Array.from({ length: 30 }, (_, n) => api.post('/session', { key: `cw_${n}` })),
    );
    const statuses = wrong.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    const refused = wrong.find(({ status }) => status === 429);
    refused?.assertError('RATE_LIMIT');
    expect(Number(refused?.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    // Requests with a key are not affected.
    (await tenant.api.get('/agents')).assertOk();
  });

  it('gets no server error with an unusual multipart boundary', async () => {
    const boundary = randomBytes(200).toString('hex');
    for (const parameter of [boundary, `"${boundary}"`, `ok; boundary=${boundary}`]) {
      const headers = { 'content-type': `multipart/form-data; boundary=${parameter}` };
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--${boundary}--\r\n`;
      (await tenant.api.call('POST', '/datasources', { body, headers })).assertError('INVALID_REQUEST');
    }
  });
});

it('another user of the machine cannot read the data directory, also one of an earlier release', async () => {
  const deployment = await EmbeddedDeployment.create();
  const { dataDirectory } = deployment;
  await mkdir(join(dataDirectory, 'blobs', 'old'), { recursive: true, mode: 0o755 });
  await writeFile(join(dataDirectory, 'blobs', 'old', 'text'), 'A secret.', { mode: 0o644 });
  await chmod(dataDirectory, 0o755);
  try {
    await deployment.start();
    const { tenant } = deployment;
    await tenant.text((await tenant.datastore()).id, 'Another secret.');
    const shared = [];
    for (const entry of await readdir(dataDirectory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // Temporary files may be gone by now.
      const { mode } = await stat(path).catch(() => ({ mode: 0 }));
      if (mode & 0o077) shared.push(path);
    }
    expect(shared).toEqual([]);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
  } finally {
    await deployment.stop();
  }
});
