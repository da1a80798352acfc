import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  loadClientConfig,
  loadConfig,
  loadScaledConfig,
  loadStandaloneConfig,
  misspelledVariables,
  renderEnvExample,
} from './config.js';

it('misspelledVariables names the variable that was meant', () => {
  const env = { CHAT_MODLE: 'a', PORT: '1', FTP_PROXY: 'b', CITEWELL_URL: 'c', npm_config_port: 'd', P: '' };
  expect(misspelledVariables(env)).toEqual([
    'CHAT_MODLE is not a variable of Citewell. Did you mean CHAT_MODEL?',
  ]);
});

describe('loadConfig', () => {
  it('has a default for every required variable', () => {
    const config = loadConfig({});
    expect(config.PORT).toBe(3000);
    expect(config.RATE_LIMIT_PER_MINUTE).toBe(600);
    expect(config.DATABASE_URL).toBeUndefined();
    expect(config.ALLOW_PRIVATE_NETWORKS).toEqual([]);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', CHAT_MODEL: '' }).PORT).toBe(3000);
  });

  it('lists every invalid variable without its value', () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      LOG_LEVEL: 'loud',
      CITEWELL_API_KEY: 'hunter2',
    };
    expect(() => loadConfig(env)).toThrow(
      expect.objectContaining({
        problems: ['PORT', 'CITEWELL_API_KEY', 'DATABASE_URL', 'LOG_LEVEL'].map((name) =>
          expect.stringContaining(name),
        ),
        message: expect.not.stringContaining('hunter2'),
      }),
    );
  });

  it('rejects a variable without the variable that it belongs to', () => {
    expect(() => loadConfig({ S3_ACCESS_KEY_ID: 'id' })).toThrow(/S3_SECRET_ACCESS_KEY/);
    expect(() => loadConfig({ QDRANT_API_KEY: 'key' })).toThrow(/QDRANT_URL/);
    expect(() => loadConfig({ RERANK_MODEL: 'tei' })).toThrow(/RERANK_BASE_URL/);
    expect(loadConfig({ RERANK_MODEL: 'chat' }).RERANK_TIMEOUT_MS).toBe(2_000);
  });

  it('requires an address of its own and a sender to send mails', () => {
    const env = {
      SMTP_URL: 'smtp://user:hunter2@mail.example.com:587',
      MAIL_FROM: 'Citewell <c@example.com>',
      PUBLIC_URL: 'https://answers.example.com',
    };
    expect(loadConfig(env).MAIL_FROM).toBe('Citewell <c@example.com>');
    for (const [name, value] of [
      ['PUBLIC_URL', ''],
      ['MAIL_FROM', ''],
      ['SMTP_URL', ''],
      ['MAIL_FROM', 'no address'],
      ['MAIL_FROM', 'C <c@example.com>\r\nBcc: x@example.com'],
      ['SMTP_URL', 'http://user:hunter2@mail.example.com'],
      ['SMTP_URL', 'smtp://user:hunter2@mail.example.com?ignoreTLS=true'],
      ['SMTP_URL', 'smtp://user:hunter2@mail.example.com/?tls=off&logger=true'],
    ] as const) {
      const invalid = () => loadConfig({ ...env, [name]: value });
      expect(invalid).toThrow(new RegExp(`${name}(?![\\s\\S]*hunter2)`));
    }
    expect(loadConfig({ ...env, SMTP_URL: 'smtp://relay?tls=off' }).SMTP_URL).toContain('relay');
  });

  it.each([
    ['https://kb.example.com', 'https://kb.example.com'],
    [' https://kb.example.com \n', 'https://kb.example.com'],
    ['HTTPS://KB.Example.com:443/', 'https://kb.example.com'],
    ['http://kb.example.com:80', 'http://kb.example.com'],
    ['http://KB.example.com:8080//', 'http://kb.example.com:8080'],
    ['https://example.com/Team/kb/', 'https://example.com/Team/kb'],
    ['https://example.com/apis', 'https://example.com/apis'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://[2001:DB8::1]:443', 'https://[2001:db8::1]'],
  ])('writes the public address %j as %j', (value, written) => {
    expect(loadConfig({ PUBLIC_URL: value }).PUBLIC_URL).toBe(written);
  });

  it.each([
    ['https://kb.example.com/api', 'must not end with /api'],
    ['https://kb.example.com/kb/API//', 'must not end with /api'],
    ['https://kb.example.com?x=hunter2', 'must not have a query'],
    ['https://kb.example.com/#/hunter2', 'must not have a fragment'],
    ['https://root:hunter2@kb.example.com', 'must not have a user name'],
    ['https://root@kb.example.com', 'must not have a user name'],
    ['   ', 'must be a URL'],
    ['kb.example.com', 'must be a URL'],
    ['localhost:3000', 'must be a URL'],
    ['ftp://kb.example.com', 'must be a URL'],
  ])('refuses the public address %j', (value, sentence) => {
    expect(() => loadConfig({ PUBLIC_URL: value })).toThrow(
      expect.objectContaining({
        problems: [expect.stringContaining(`PUBLIC_URL: ${sentence}`)],
        message: expect.not.stringContaining('hunter2'),
      }),
    );
  });

  it.each([
    [{}, '', undefined],
    [{ BASE_PATH: '/' }, '', undefined],
    [{ BASE_PATH: '/citewell' }, '/citewell', undefined],
    [{ BASE_PATH: ' citewell/ ' }, '/citewell', undefined],
    [{ BASE_PATH: '//team//a.b_c~d-e/' }, '/team/a.b_c~d-e', undefined],
    [{ PUBLIC_URL: 'https://example.org/kb/' }, '/kb', 'https://example.org/kb'],
    [{ PUBLIC_URL: 'https://example.org', BASE_PATH: '/kb' }, '/kb', 'https://example.org/kb'],
    [{ PUBLIC_URL: 'https://example.org/kb', BASE_PATH: 'kb' }, '/kb', 'https://example.org/kb'],
    [{ PUBLIC_URL: 'https://example.org/kb', BASE_PATH: '' }, '/kb', 'https://example.org/kb'],
    [{ PUBLIC_URL: 'https://example.org/' }, '', 'https://example.org'],
  ])('the base path of %j is %j, and the public address %j', (env, path, address) => {
    expect(loadConfig(env)).toMatchObject({ BASE_PATH: path, PUBLIC_URL: address });
  });

  it.each([
    [{ BASE_PATH: 'https://example.org/kb' }, 'BASE_PATH: must be a path'],
    [{ BASE_PATH: '/a b' }, 'BASE_PATH: must be a path'],
    [{ BASE_PATH: '/a/../b' }, 'BASE_PATH: must be a path'],
    [{ BASE_PATH: '/"><script>' }, 'BASE_PATH: must be a path'],
    [{ BASE_PATH: '/kb/api/' }, 'BASE_PATH: must not end with /api'],
    [{ PUBLIC_URL: 'https://example.org/b%C3%BCcher' }, 'PUBLIC_URL: its path must be a path of letters'],
    [{ PUBLIC_URL: 'https://example.org/kb', BASE_PATH: '/other' }, 'BASE_PATH, PUBLIC_URL: name two paths'],
    [{ PUBLIC_URL: 'https://example.org/kb', BASE_PATH: '/KB' }, 'BASE_PATH, PUBLIC_URL: name two paths'],
  ])('refuses the paths %j: %s', (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(
      expect.objectContaining({ problems: [expect.stringContaining(sentence)] }),
    );
  });

  it('explains the form of a network', () => {
    for (const value of ['true', '10.0.0.1', '10.0.0.0/8,localhost'])
      expect(() => loadConfig({ ALLOW_PRIVATE_NETWORKS: value })).toThrow(
        /ALLOW_PRIVATE_NETWORKS.*such as 10\.20\.0\.0\/16/,
      );
    expect(loadConfig({ ALLOW_PRIVATE_NETWORKS: 'fd00::/8' }).ALLOW_PRIVATE_NETWORKS).toEqual(['fd00::/8']);
  });

  it('reads the proxy settings', () => {
    const config = loadConfig({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'example.org, .internal' });
    expect(config.HTTPS_PROXY).toBe('http://proxy:3128');
    expect(config.NO_PROXY).toEqual(['example.org', '.internal']);
    expect(() => loadConfig({ HTTPS_PROXY: 'socks5://user:hunter2@proxy' })).toThrow(
      /HTTPS_PROXY(?!.*hunter2)/,
    );
  });

  it('reads lists and numbers', () => {
    const config = loadConfig({
      ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, 127.0.0.0/8',
      MAX_UPLOAD_BYTES: '1024',
    });
    expect(config.ALLOW_PRIVATE_NETWORKS).toEqual(['10.0.0.0/8', '127.0.0.0/8']);
    expect(config.MAX_UPLOAD_BYTES).toBe(1024);
  });
});

it('loadScaledConfig lists the missing variables of an app in its own process', () => {
  expect(() => loadScaledConfig({})).toThrow(/DATABASE_URL[\s\S]*QDRANT_URL/);
});

it('loadStandaloneConfig logs warnings unless LOG_LEVEL is set', () => {
  const levels = [{}, { LOG_LEVEL: '' }, { LOG_LEVEL: 'debug' }].map(
    (env) => loadStandaloneConfig(env).LOG_LEVEL,
  );
  expect(levels).toEqual(['warn', 'warn', 'debug']);
  expect(loadConfig({}).LOG_LEVEL).toBe('info');
});

it('loadClientConfig requires only the API key', () => {
  expect(loadClientConfig({ CITEWELL_API_KEY: 'cw_x', CITEWELL_URL: '' })).toEqual({
    CITEWELL_URL: 'http://127.0.0.1:3000',
    CITEWELL_API_KEY: 'cw_x',
  });
});

it('loadClientConfig lists every invalid variable without its value', () => {
  expect(() => loadClientConfig({ CITEWELL_URL: 'localhost:3000', CITEWELL_API_KEY: 'hunter 2' })).toThrow(
    expect.objectContaining({
      problems: [expect.stringContaining('CITEWELL_URL'), expect.stringContaining('CITEWELL_API_KEY')],
      message: expect.not.stringContaining('hunter'),
    }),
  );
  expect(() => loadClientConfig({})).toThrow(/CITEWELL_API_KEY: is required/);
});

it('.env.example is up to date with the table of variables', () => {
  const committed = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  // `npm run env-example` updates the file.
  expect(committed).toBe(renderEnvExample());
});
