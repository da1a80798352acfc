import { apiKeyWithSecretSchema, sessionSchema } from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../client/api-client.js';
import type { SpecificationPart } from './describe-specification.js';

const CSRF = { 'citewell-csrf': '1' };

export const sessions: SpecificationPart = (fixture) => {
  describe('a session', () => {
    let browser: ApiClient;
    let cookie: string;

    beforeAll(async () => {
      const { alice } = fixture();
      browser = alice.api.with(null);
      cookie = await signIn(browser, alice.api.key ?? '');
    });

    it('is begun with a key, and has the organization and the scopes of the key', async () => {
      const { alice } = fixture();
      const { key } = await createKey(alice.api);
      const response = await browser.post('/session', { key });
      const header = response.header('set-cookie') ?? '';
      expect(header).toMatch(/^citewell_session=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
      const session = response.as(sessionSchema.strict());
      expect(session).toEqual({
        organization: { id: alice.organizationId, name: 'Alice', ownersReadConversationsSince: null },
        organizations: [],
        identityProvider: null,
        scopes: ['read'],
        person: null,
      });
      const headers = { ...CSRF, cookie: header.split(';')[0] ?? '' };
      const read = await browser.call('GET', '/session', { headers });
      expect(read.as(sessionSchema.strict())).toEqual(session);
      (await browser.call('GET', '/agents', { headers })).assertOk();
      (await browser.call('POST', '/agents', { headers, json: { name: 'A' } })).assertError('FORBIDDEN');
    });

    it('is not begun with an unknown key', async () => {
      (await browser.post('/session', { key: 'cw_unknown' })).assertError('UNAUTHORIZED');
      (await browser.post('/session', { code: 'unknown' })).assertError('UNAUTHORIZED');
      for (const json of [
        {},
        { key: '' },
        { key: 1 },
        { key: 'cw_unknown', code: 'x' },
        { email: 'a@b.com' },
        { password: 'x' },
        { key: 'cw_unknown', password: 'x' },
        { email: 'a@b.com', password: 'x', code: 'x' },
        { email: 'a@b.com', password: 'x', name: 'N' },
        { token: 'x' },
      ])
        (await browser.post('/session', json)).assertError('INVALID_REQUEST');
    });

    it.each<[string, Record<string, string>]>([
      ['without the CSRF header', {}],
      ['from a page of another origin', { ...CSRF, origin: 'https://evil.example' }],
      ['from another site, by Sec-Fetch-Site', { ...CSRF, 'sec-fetch-site': 'cross-site' }],
    ])('does not count %s', async (_, headers) => {
      (await browser.call('GET', '/agents', { headers: { ...headers, cookie } })).assertError('UNAUTHORIZED');
      const json = { name: 'Forged' };
      const forged = await browser.call('POST', '/agents', { headers: { ...headers, cookie }, json });
      forged.assertError('UNAUTHORIZED');
    });

    it('is not a key, and an invalid key is not replaced by it', async () => {
      const token = cookie.split('=')[1] ?? '';
      (await browser.with(token).get('/agents')).assertError('UNAUTHORIZED');
      const invalid = await browser.with('cw_x').call('GET', '/agents', { headers: { ...CSRF, cookie } });
      invalid.assertError('UNAUTHORIZED');
    });

    it('ends at sign-out, and with its key', async () => {
      const { alice } = fixture();
      const headers = { ...CSRF, cookie: await signIn(browser, alice.api.key ?? '') };
      (await browser.call('GET', '/agents', { headers })).assertOk();
      const out = await browser.call('DELETE', '/session', { headers });
      expect(out.header('set-cookie')).toMatch(/^citewell_session=; .*Max-Age=0/);
      (await browser.call('GET', '/agents', { headers })).assertError('UNAUTHORIZED');

      const { id, key } = await createKey(alice.api);
      const other = { ...CSRF, cookie: await signIn(browser, key) };
      (await browser.call('GET', '/agents', { headers: other })).assertOk();
      await alice.api.delete(`/api-keys/${id}`);
      (await browser.call('GET', '/agents', { headers: other })).assertError('UNAUTHORIZED');
    });
  });
};

async function signIn(browser: ApiClient, key: string): Promise<string> {
  const response = await browser.post('/session', { key });
  return response.header('set-cookie')?.split(';')[0] ?? '';
}

async function createKey(api: ApiClient) {
  return (await api.post('/api-keys', { name: 'K', scopes: ['read'] })).as(apiKeyWithSecretSchema);
}
