import { describe, expect, it } from '@jest/globals';
import { mailError } from './mail-connection.js';

const failed = (properties: object): Error => Object.assign(new Error('failed'), properties);
const NO_TLS = /does not offer an encrypted connection/;

describe('mailError', () => {
  it.each([
    ['no STARTTLS', { tlsFailed: true }, NO_TLS],
    ['no TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, NO_TLS],
    [
      'a bad certificate after STARTTLS',
      { tlsFailed: true, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      /certificate/,
    ],
    ['a bad certificate', { code: 'CERT_HAS_EXPIRED' }, /certificate/],
    ['a wrong password', { authenticationFailed: true }, /refuses the name/],
  ])('tells %s', (_what, properties, text) => {
    expect(mailError(failed(properties))).toMatchObject({
      kind: 'denied',
      message: expect.stringMatching(text),
    });
  });
});
