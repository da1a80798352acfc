import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import type { SpecificationPart } from './describe-specification.js';

export const operations: SpecificationPart = (fixture) => {
  describe('operations', () => {
    it('reports liveness and readiness without a key, and names each dependency', async () => {
      const { origin } = fixture().deployment;
      expect(await (await fetch(`${origin}/health/live`)).json()).toEqual({ status: 'live' });
      const ready = await fetch(`${origin}/health/ready`);
      expect(ready.status).toBe(200);
      expect(await ready.json()).toEqual({
        ready: true,
        checks: { database: 'ok', schema: 'ok', queue: 'ok', vectors: 'ok', blobs: 'ok', storage: 'ok' },
      });
    });

    it.each(['x-forwarded-for', 'forwarded'])('hides metrics from requests with %s', async (name) => {
      const { deployment } = fixture();
      const value = name === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1';
      const response = await fetch(`${deployment.origin}/metrics`, { headers: { [name]: value } });
      expect([response.status, (await response.text()).includes('citewell_')]).toEqual([404, false]);
    });

    it('exposes metrics in the text format, without organization ids', async () => {
      const { deployment, alice } = fixture();
      const response = await fetch(`${deployment.origin}/metrics`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type') ?? '').toMatch(/^text\/plain/);
      const text = await response.text();
      expect(text).toMatch(/^# TYPE \w+ histogram$/m);
      expect(text).not.toContain(alice.organizationId);
    });

    it('gives every response a request id, the client’s if it is valid', async () => {
      const { alice } = fixture();
      const named = await alice.api.call('GET', '/agents', { headers: { 'x-request-id': 'my-id.1' } });
      expect(named.header('x-request-id')).toBe('my-id.1');
      const invalid = await alice.api.call('GET', '/agents', { headers: { 'x-request-id': 'a b"<c>' } });
      expect(invalid.header('x-request-id') ?? '').toMatch(/^[\w-]{36}$/);
    });

    it('answers unknown paths with the error envelope', async () => {
      const { alice, deployment } = fixture();
      (await alice.api.get('/nothing')).assertError('NOT_FOUND');
      (await alice.api.call('PUT', '/agents', { json: {} })).assertError('NOT_FOUND');
      (await alice.api.get(`/agents/${'x'.repeat(2_000)}`)).assertError('NOT_FOUND');
      (await alice.api.get('/agents/%zz')).assertError('INVALID_REQUEST');
      (await alice.api.with(null).get('/nothing')).assertError('UNAUTHORIZED');
      (await new ApiClient(deployment.origin, null).get('/nothing')).assertError('NOT_FOUND');
    });

    it('refuses bodies of other content types', async () => {
      const { alice } = fixture();
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const answer = await alice.api.call('POST', '/agents', {
          body: 'name=A',
          headers: { 'content-type': type },
        });
        answer.assertError('UNSUPPORTED_MEDIA_TYPE');
      }
      const multipart = await alice.api.upload([['name', 'A']], '/agents');
      multipart.assertError('UNSUPPORTED_MEDIA_TYPE');
    });

    it('answers a malformed HTTP request with the error envelope', async () => {
      const { origin } = fixture().deployment;
      const answer = await sendRaw(Number(new URL(origin).port), 'NONSENSE\r\n\r\n');
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      assert.ok(typeof body === 'object' && body !== null && 'error' in body && 'requestId' in body);
      expect(body.error).toBe('INVALID_REQUEST');
      expect(answer).toMatch(new RegExp(`x-request-id: ${String(body.requestId)}`, 'i'));
    });

    it('allows cross-origin requests from any page, without credentials', async () => {
      const { alice } = fixture();
      const preflight = await alice.api.with(null).call('OPTIONS', '/agents', {
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.header('access-control-allow-origin')).toBe('*');
      expect(preflight.header('access-control-allow-credentials')).toBeNull();
      expect(preflight.header('access-control-allow-methods') ?? '').toMatch(/PATCH/);
      expect(preflight.header('access-control-allow-headers') ?? '').toMatch(/authorization/i);

      for (const key of [alice.api.key, null]) {
        const answer = await alice.api
          .with(key)
          .call('GET', '/agents', { headers: { origin: 'https://shop.example' } });
        expect(answer.header('access-control-allow-origin')).toBe('*');
        expect(answer.header('access-control-expose-headers') ?? '').toMatch(/X-Request-Id/i);
      }
    });
  });
};

/** Sends raw bytes and reads the response until the server closes the connection. */
async function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (piece: string) => (received += piece));
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}
