import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceConfigSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSource, type SourceContext } from './open-source.js';
import { SourceError } from './source.js';

const never = new AbortController().signal;
const SECRETS = { password: 'p', pass: 'p', token: 't', secret_access_key: 's' };

let root: string;
let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostile-'));
  await mkdir(join(root, 'allowed'));
  await mkdir(join(root, 'allowed-not'));
  await writeFile(join(root, 'secret.txt'), 'secret');
  await symlink(root, join(root, 'allowed/up'));
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).end('* OK ready\r\n');
  }).listen(0);
  await once(server, 'listening');
  port = (server.address() as { port: number }).port;
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true });
});

/** What becomes of a configuration: `schema`, or the kind of the error. Addresses have the port of the server for `%`. */
async function outcomeOf(config: object): Promise<string> {
  const text = JSON.stringify(config).replaceAll('%', String(port)).replaceAll('ROOT', root);
  const parsed = sourceConfigSchema.safeParse(JSON.parse(text));
  if (!parsed.success) return 'schema';
  const context: SourceContext = {
    secrets: SECRETS,
    folders: [join(root, 'allowed')],
    programs: { archive: ['/nowhere/archive'] },
    rclonePath: '/nowhere/rclone',
  };
  try {
    const source = await openSource(parsed.data, context);
    try {
      return await source.check(never);
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof SourceError) return error.kind;
    throw error;
  }
}

const feed = (url: string) => ({ kind: 'feed', url });
const repository = (url: string, fields: object = {}) => ({ kind: 'repository', url, ...fields });
const mailbox = (host: string, fields: object = {}) => ({ kind: 'mailbox', host, user: 'u', ...fields });
const confluence = (url: string, fields: object = {}) => ({ kind: 'confluence', url, ...fields });
const folder = (path: string) => ({ kind: 'folder', folder: path });
const program = (name: string, fields: object = {}) => ({ kind: 'program', program: name, ...fields });
const storage = (provider: string, options: object = {}, fields: object = {}) => ({
  kind: 'storage',
  provider,
  options,
  ...fields,
});
const PRIVATE = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '0x7f.1',
  '2130706433',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '127.1',
];

describe('a hostile configuration', () => {
  it.each<[string, object, string]>([
    ...PRIVATE.map(
      (host) => ['a private address', feed(`http://${host}:%/`), 'denied'] as [string, object, string],
    ),
    ['addresses of a cloud', feed('http://169.254.169.254/latest/meta-data/'), 'denied'],
    ['files of the server', feed('file:///etc/passwd'), 'schema'],
    ['another protocol', feed('gopher://127.0.0.1:%/_x'), 'schema'],
    ['credentials in the address', feed('http://u:p@127.0.0.1:%/'), 'schema'],
    ['a second line', feed('http://127.0.0.1:%/\r\nHost: x'), 'schema'],

    ...PRIVATE.map(
      (host) => ['a private address', repository(`http://${host}:%/r`), 'denied'] as [string, object, string],
    ),
    ['addresses of a cloud', repository('http://169.254.169.254/r'), 'denied'],
    ['files of the server', repository('file:///etc'), 'schema'],
    ['a path', repository('/etc'), 'schema'],
    ['a program of git', repository('ext::sh -c touch% /tmp/x'), 'schema'],
    ['an option', repository('--upload-pack=touch /tmp/x'), 'schema'],
    ['SSH', repository('ssh://-oProxyCommand=id/r'), 'schema'],
    ['credentials in the address', repository('http://u:p@127.0.0.1:%/r'), 'schema'],
    ['a second line', repository('http://127.0.0.1:%/r\n[core]'), 'schema'],
    ['an option as branch', repository('http://a.example/r', { branch: '--upload-pack=id' }), 'schema'],
    ['a refspec as branch', repository('http://a.example/r', { branch: 'a:refs/heads/b' }), 'schema'],
    ['a second line in the user', repository('http://a.example/r', { user: 'a\nHost: b' }), 'schema'],
    [
      'a link that runs a script',
      repository('http://a.example/r', { link: 'javascript:alert(1)' }),
      'schema',
    ],

    ...PRIVATE.map(
      (host) =>
        ['a private host', mailbox(host, { port: 1, security: 'none' }), 'denied'] as [
          string,
          object,
          string,
        ],
    ),
    ['a cloud', mailbox('169.254.169.254'), 'denied'],
    ['a socket of the server', mailbox('/var/run/docker.sock'), 'denied'],
    ['an address in place of a host', mailbox('http://127.0.0.1:%/'), 'denied'],
    ['a second line in the user', mailbox('a.example', { user: 'a\r\nA1 DELETE INBOX' }), 'schema'],
    ['a second line in a folder', mailbox('a.example', { folders: ['a\r\nA1 DELETE INBOX'] }), 'schema'],
    ['a port that is none', mailbox('a.example', { port: 70_000 }), 'schema'],
    ['another encryption', mailbox('a.example', { security: 'ssl' }), 'schema'],

    ...PRIVATE.map(
      (host) =>
        ['a private address', confluence(`http://${host}:%/wiki`), 'denied'] as [string, object, string],
    ),
    ['a token over a private address', confluence('http://127.0.0.1:%/', { user: 'me' }), 'denied'],
    ['addresses of a cloud', confluence('http://169.254.169.254/wiki'), 'denied'],
    ['files of the server', confluence('file:///etc/passwd'), 'schema'],
    ['credentials in the address', confluence('http://u:p@127.0.0.1:%/'), 'schema'],
    ['a second line', confluence('http://127.0.0.1:%/\r\nHost: x'), 'schema'],
    ['a second line in the user', confluence('https://a.example/', { user: 'a\r\nHost: x' }), 'schema'],
    ['a query as space', confluence('https://a.example/', { spaces: ['A" or space = "B'] }), 'schema'],
    ['a path as space', confluence('https://a.example/', { spaces: ['../user'] }), 'schema'],
    ['no space', confluence('https://a.example/', { spaces: [] }), 'schema'],

    ['the root of the server', folder('/'), 'denied'],
    ['files of the system', folder('/etc'), 'denied'],
    ['what is not there', folder('/etc/not/there'), 'denied'],
    ['a file elsewhere', folder('ROOT/secret.txt'), 'denied'],
    ['the parent', folder('ROOT/allowed/..'), 'denied'],
    ['a name that begins like an allowed one', folder('ROOT/allowed-not'), 'denied'],
    ['a link to the outside', folder('ROOT/allowed/up'), 'denied'],
    ['the processes', folder('/proc/self/root'), 'denied'],
    ['a relative path', folder('allowed'), 'schema'],
    ['U+0000', folder('ROOT/allowed\0/x'), 'schema'],

    ['another program', program('/bin/sh'), 'denied'],
    ['a property of all objects', program('constructor'), 'denied'],
    ['the prototype', program('__proto__'), 'denied'],
    ['arguments', program('archive --help'), 'denied'],
    ['another command', program('archive; id'), 'denied'],
    ['a path to it', program('./archive'), 'denied'],
    ['no name', program(''), 'schema'],
    ['U+0000 in the settings', program('archive', { settings: 'a\0b' }), 'schema'],
    ['large settings', program('archive', { settings: 'x'.repeat(10_001) }), 'schema'],
    ['a second line in the name', program('archive\nid'), 'schema'],

    ['the disk of the server', storage('local', {}, { path: '/etc' }), 'schema'],
    ['a storage made of others', storage('alias', { remote: '/etc' }), 'schema'],
    ['a configuration file', storage('webdav', { url: 'https://a.example', config: '/etc/x' }), 'schema'],
    [
      'another option of rclone',
      storage('webdav', { url: 'https://a.example', '--config': '/etc/x' }),
      'schema',
    ],
    ['a key file', storage('sftp', { host: 'a', user: 'u', key_file: '/root/.ssh/id_rsa' }), 'schema'],
    ['a command', storage('sftp', { host: 'a', user: 'u', ssh: 'sh -c id' }), 'schema'],
    ['the environment', storage('s3', { env_auth: 'true' }), 'schema'],
    ['a property of all objects', storage('s3', { toString: 'x' }), 'schema'],
    ['a provider that is none', storage('constructor'), 'schema'],
    ['the end of the remote in the path', storage('s3', {}, { path: 'a]/b' }), 'schema'],
    ['a second line', storage('webdav', { url: 'https://a.example\ntype = local' }), 'schema'],
    ['a secret as option', storage('webdav', { url: 'https://a.example', pass: 'x' }), 'schema'],
    ['a private host', storage('smb', { host: '127.0.0.1' }), 'denied'],
    ['no rclone', storage('webdav', { url: 'http://127.0.0.1:%/' }), 'denied'],
  ])('%s: %j: %s', async (_, config, expected) => {
    expect(await outcomeOf(config)).toBe(expected);
    expect(connections).toBe(0);
  });
});
