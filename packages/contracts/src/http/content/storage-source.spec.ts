import { describe, expect, it } from '@jest/globals';
import { sourceConfigSchema } from './source-config.schema.js';

describe('the config of a storage', () => {
  const webdav = { url: 'https://cloud.example.com/' };
  const sftp = { host: 'files.example.com', user: 'someone' };
  it.each([
    ['webdav', webdav, true],
    ['sftp', { ...sftp, host_keys: 'ssh-ed25519 AAAA' }, true],
    // Reads files of the server.
    ['sftp', { ...sftp, key_file: '/root/.ssh/id_ed25519' }, false],
    ['drive', { service_account_file: '/etc/key.json' }, false],
    ['s3', { shared_credentials_file: '/root/.aws/credentials' }, false],
    ['webdav', { ...webdav, unix_socket: '/var/run/docker.sock' }, false],
    // Runs a program.
    ['sftp', { ...sftp, ssh: 'ssh -o ProxyCommand=id' }, false],
    ['sftp', { ...sftp, server_command: 'id' }, false],
    ['webdav', { ...webdav, bearer_token_command: 'id' }, false],
    // Takes credentials from the server.
    ['s3', { env_auth: 'true' }, false],
    ['azureblob', { use_msi: 'true' }, false],
    // Connects elsewhere than through the guard.
    ['sftp', { ...sftp, http_proxy: '' }, false],
    ['ftp', { host: 'files.example.com', socks_proxy: '127.0.0.1:1080' }, false],
    // Secrets are kept apart.
    ['webdav', { ...webdav, pass: 'secret' }, false],
    ['webdav', { ...webdav, constructor: 'x' }, false],
    ['webdav', {}, false],
    ['local', {}, false],
    ['alias', { remote: '/etc' }, false],
    ['crypt', { remote: '/etc' }, false],
    ['union', { upstreams: '/etc' }, false],
  ])('%s with %j', (provider, options, isValid) => {
    expect(sourceConfigSchema.safeParse({ kind: 'storage', provider, options }).success).toBe(isValid);
  });
});
