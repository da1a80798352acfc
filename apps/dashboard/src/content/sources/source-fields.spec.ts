import type { SourceKindInfo } from '@citewell/sdk';
import { SOURCE_SECRETS, sourceConfigJsonSchema, STORAGE_PROVIDERS } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { changesOf, configOf, fieldsOf, isComplete, secretsOf, valuesOf } from './source-fields.js';

/** A kind as the API describes it. */
function infoOf(kind: SourceKindInfo['kind']): SourceKindInfo {
  return {
    kind,
    problem: null,
    schema: sourceConfigJsonSchema(kind),
    secrets: { ...SOURCE_SECRETS[kind] },
    ...(kind === 'storage' && {
      providers: STORAGE_PROVIDERS as unknown as NonNullable<SourceKindInfo['providers']>,
    }),
    ...(kind === 'program' && { programs: ['archive'] }),
  };
}
const inputsOf = (kind: SourceKindInfo['kind'], provider = ''): Record<string, string> =>
  Object.fromEntries(fieldsOf(infoOf(kind), provider).map(({ name, input }) => [name, input]));
const PATTERNS = { include: 'lines', exclude: 'lines', schedule: 'schedule' };

describe('the form of a source', () => {
  it('has an input for each field that the kind describes', () => {
    expect(inputsOf('folder')).toEqual({ folder: 'text', ...PATTERNS });
    expect(inputsOf('feed')).toEqual({ url: 'text', linkedPages: 'switch', maxPages: 'number', ...PATTERNS });
    expect(inputsOf('mailbox')).toEqual({
      host: 'text',
      port: 'number',
      security: 'choice',
      user: 'text',
      folders: 'lines',
      since: 'date',
      ...PATTERNS,
    });
    expect(inputsOf('repository')).toEqual({
      url: 'text',
      branch: 'text',
      user: 'text',
      link: 'text',
      ...PATTERNS,
    });
    expect(inputsOf('confluence')).toEqual({
      url: 'text',
      user: 'text',
      spaces: 'lines',
      permissions: 'switch',
      ...PATTERNS,
    });
    expect(inputsOf('notion')).toEqual(PATTERNS);
    expect(inputsOf('program')).toEqual({ program: 'choice', settings: 'long', ...PATTERNS });
    expect(inputsOf('storage')).toEqual({ provider: 'choice', path: 'text', ...PATTERNS });
    expect(Object.keys(inputsOf('storage', 'sftp'))).toEqual([
      'provider',
      'options.host',
      'options.port',
      'options.user',
      'options.host_keys',
      'path',
      ...Object.keys(PATTERNS),
    ]);
  });

  it('asks for the secrets of the kind, or of the storage', () => {
    expect(Object.keys(secretsOf(infoOf('mailbox'), ''))).toEqual(['password', 'accessToken']);
    expect(Object.keys(secretsOf(infoOf('storage'), ''))).toEqual([]);
    expect(Object.keys(secretsOf(infoOf('storage'), 'webdav'))).toEqual(['pass', 'bearer_token']);
    expect(secretsOf(infoOf('storage'), 'dropbox')['token']).toBe('Token, as rclone authorize prints it');
  });

  it('leaves out what is empty or as without a value', () => {
    const fields = fieldsOf(infoOf('feed'), '');
    expect(configOf('feed', fields, { url: ' https://a.example ', maxPages: '', include: ' \n' })).toEqual({
      kind: 'feed',
      url: 'https://a.example',
      schedule: '*/15 * * * *',
    });
    const values = { url: 'https://a.example', linkedPages: false, maxPages: '3', schedule: '' };
    const config = configOf('feed', fields, values);
    expect(config).toEqual({
      kind: 'feed',
      url: 'https://a.example',
      linkedPages: false,
      maxPages: 3,
      schedule: '',
    });
    expect([isComplete(fields, config), isComplete(fields, { kind: 'feed' })]).toEqual([true, false]);
  });

  it('needs the options of a storage without which nothing can be connected', () => {
    const fields = fieldsOf(infoOf('storage'), 'sftp');
    const needed = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect(needed).toEqual(['provider', 'options.host', 'options.user']);
    const config = { kind: 'storage', provider: 'sftp', options: { host: 'a.example' } };
    expect(isComplete(fields, config)).toBe(false);
    expect(isComplete(fields, { ...config, options: { ...config.options, user: 'me' } })).toBe(true);
  });

  it.each([
    { kind: 'folder', folder: '/srv/documents', exclude: ['drafts/**', '*.tmp'], schedule: '' },
    {
      kind: 'storage',
      provider: 'webdav',
      options: { url: 'https://a.example' },
      path: 'a/b',
      schedule: '@daily',
    },
    {
      kind: 'mailbox',
      host: 'a.example',
      port: 1143,
      security: 'none',
      user: 'me',
      folders: ['A', 'B'],
      since: '2026-01-02',
      schedule: '@hourly',
    },
    { kind: 'feed', url: 'https://a.example', linkedPages: false, schedule: '' },
    { kind: 'confluence', url: 'https://a.example', spaces: ['A'], permissions: false, schedule: '' },
    { kind: 'notion', schedule: '' },
    { kind: 'program', program: 'archive', settings: 'one\ntwo', schedule: '' },
  ] as const)('keeps the configuration of an existing $kind', (config) => {
    const fields = fieldsOf(infoOf(config.kind), 'provider' in config ? config.provider : '');
    expect(configOf(config.kind, fields, valuesOf(config))).toEqual(config);
  });

  it('removes a field that was emptied, and changes nothing that is fixed', () => {
    const fields = fieldsOf(infoOf('storage'), 'webdav');
    const config = {
      kind: 'storage',
      provider: 'webdav',
      options: { url: 'https://b.example' },
      schedule: '',
    };
    expect(changesOf(config, fields)).toEqual({
      options: { url: 'https://b.example' },
      path: null,
      include: null,
      exclude: null,
      schedule: '',
    });
  });
});
