import { describe, expect, it } from '@jest/globals';
import { RcloneError } from './rclone.js';
import { storageError } from './storage-error.js';

const errorOf = (text: string) =>
  storageError('The folder', {
    error: new RcloneError(500, text),
    connection: null,
    secretTexts: ['hunter2'],
  });

describe('storageError', () => {
  it.each([
    "error in ListJSON: couldn't list files: 401 Unauthorized: 401 Unauthorized",
    'NewFs: ftp: 530 Login incorrect.',
    "couldn't connect SSH: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none password]",
    'oauth2: "invalid_grant" "Token has been expired or revoked."',
    'The attempted logon is invalid. This is either due to a bad username or authentication information.',
  ])('names a refused login: %s', (text) => {
    const { kind, message } = errorOf(text);
    expect(kind).toBe('denied');
    expect(message).toBe(
      `The storage refuses the user name, or the password or token. The storage answered: ${text}`,
    );
  });

  it.each([
    ['403 Forbidden: 403 Forbidden', 'denied'],
    ['ssh: handshake failed: knownhosts: host key mismatch', 'denied'],
    ['429 Too Many Requests', 'limited'],
    ['500 Internal Server Error', 'unavailable'],
  ])('names what could not be read: %s', (text, kind) => {
    expect(errorOf(text)).toMatchObject({
      kind,
      message: `The folder could not be read. The storage answered: ${text}`,
    });
  });

  it('shows no secrets', () => {
    expect(errorOf('bad password hunter2 at https://a.example/x?token=1').message).toMatch(
      /answered: bad password … at https:\/\/a\.example\/x$/,
    );
  });
});
