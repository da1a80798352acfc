import { expect, it } from '@jest/globals';
import { smtpOptions } from './mailer.service.js';

it.each([
  ['smtps://mail.example.com', { port: 465, secure: true, requireTLS: false, ignoreTLS: false }],
  ['smtps://mail.example.com:2465/', { port: 2465, secure: true, requireTLS: false, ignoreTLS: false }],
  ['smtp://mail.example.com', { port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
  ['smtp://mail.example.com:25?tls=off', { port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
  ['smtps://mail.example.com?tls=off', { port: 465, secure: true, requireTLS: false, ignoreTLS: false }],
  ['smtp://127.0.0.1:2525', { port: 2525, secure: false, requireTLS: false, ignoreTLS: false }],
  ['smtp://127.example.com', { port: 587, requireTLS: true }],
  ['smtp://localhost', { host: 'localhost', requireTLS: false }],
  ['smtp://[::1]:25', { host: '::1', port: 25, requireTLS: false }],
])('encrypts the connection to %s', (url, options) => {
  expect(smtpOptions(url)).toMatchObject(options);
});

it('reads user and password, percent-encoded', () => {
  expect(smtpOptions('smtps://c%40example.com:p%3Aa%2Fs@mail').auth).toEqual({
    user: 'c@example.com',
    pass: 'p:a/s',
  });
  expect(smtpOptions('smtps://mail').auth).toBeUndefined();
});
