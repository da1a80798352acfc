import { describe, expect, it } from '@jest/globals';
import { relyingPartyOf } from './passkey-ceremony.service.js';

const LOCAL = { HOST: '127.0.0.1', BASE_PATH: '', PUBLIC_URL: undefined };
const PUBLIC = { ...LOCAL, PUBLIC_URL: 'https://Answers.example.com:443/' };

describe('relyingPartyOf', () => {
  it('is the configured address, whatever the request says', () => {
    for (const headers of [{}, { host: 'evil.example', origin: 'https://evil.example' }])
      expect(relyingPartyOf(headers, PUBLIC)).toEqual({
        rpId: 'answers.example.com',
        origin: 'https://answers.example.com',
      });
  });

  it('is the page without a configured address, if it is one of the server', () => {
    const headers = { host: 'localhost:3000', origin: 'http://localhost:3000' };
    expect(relyingPartyOf(headers, LOCAL)).toEqual({ rpId: 'localhost', origin: 'http://localhost:3000' });
  });

  it.each([
    ['a name that leads here', LOCAL, { host: 'evil.example', origin: 'http://evil.example' }],
    ['a page of another host', LOCAL, { host: 'localhost:3000', origin: 'http://evil.example' }],
    ['a page of another port', LOCAL, { host: 'localhost:3000', origin: 'http://localhost:8080' }],
    ['no page', LOCAL, { host: 'localhost:3000' }],
    ['an opaque origin', LOCAL, { host: 'localhost:3000', origin: 'null' }],
    ['an IP address', LOCAL, { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }],
    ['an IPv6 address', LOCAL, { host: '[::1]:3000', origin: 'http://[::1]:3000' }],
    ['a configured IP address', { ...LOCAL, PUBLIC_URL: 'https://192.0.2.1' }, {}],
  ])('refuses %s', (_, service, headers) => {
    expect(() => relyingPartyOf(headers, service)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});
