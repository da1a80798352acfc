import { describe, expect, it } from '@jest/globals';
import { datasourceConfigSchema, webUrlSchema } from './datasource-config.schema.js';
import { SOURCE_CONFIG_KEYS } from './source-config.schema.js';
import {
  createDatasourceSchema,
  DATASOURCE_CONFIG_KEYS,
  updateDatasourceSchema,
  uploadFieldsSchema,
} from './datasources.schema.js';

describe('the config of a datasource', () => {
  it('has exactly the keys that a request for its type accepts', () => {
    expect(
      Object.fromEntries(
        Object.entries(DATASOURCE_CONFIG_KEYS).map(([type, keys]) => [type, [...keys].sort()]),
      ),
    ).toEqual({
      file: ['encoding'],
      text: [],
      source: [...SOURCE_CONFIG_KEYS].sort(),
      web_page: ['paused', 'render', 'schedule', 'source_url'],
      web_site: [
        'exclude',
        'include',
        'maxDepth',
        'maxPages',
        'paused',
        'render',
        'schedule',
        'sitemap',
        'source_url',
      ],
    });
  });

  it('keeps every key of its type on creation', () => {
    const address = 'https://example.com/';
    const config = {
      source_url: address,
      sitemap: `${address}sitemap.xml`,
      maxPages: 5,
      maxDepth: 2,
      include: ['/docs/**'],
      exclude: ['/docs/old/**'],
      render: 'never',
      schedule: '0 4 * * *',
      paused: true,
    };
    for (const type of ['web_page', 'web_site'] as const) {
      const created = createDatasourceSchema.parse({ type, datastoreId: 'store', config });
      expect(Object.keys(created.config ?? {}).sort()).toEqual([...DATASOURCE_CONFIG_KEYS[type]].sort());
    }
    expect(datasourceConfigSchema.parse(config)).toEqual(config);
  });

  it.each([
    ['big5', 'big5'],
    ['Windows-1251', 'windows-1251'],
    ['cp1251', 'windows-1251'],
    ['latin1', 'windows-1252'],
    ['ISO_8859-2', 'iso-8859-2'],
    ['GB2312', 'gb18030'],
    ['Shift-JIS', 'shift_jis'],
    ['UTF8', 'utf-8'],
  ])('accepts the encoding %s as %s', (name, encoding) => {
    expect(updateDatasourceSchema.parse({ config: { encoding: name } })).toEqual({ config: { encoding } });
    expect(uploadFieldsSchema.parse({ encoding: name }).encoding).toBe(encoding);
  });

  it('names the known encodings when one is unknown', () => {
    for (const schema of [updateDatasourceSchema.shape.config, uploadFieldsSchema]) {
      const { error } = schema.safeParse({ encoding: 'klingon' });
      expect(error?.issues[0]?.message).toMatch(/^must be one of utf-8, .*euc-kr$/);
    }
    expect(updateDatasourceSchema.parse({ config: { encoding: null } })).toEqual({
      config: { encoding: null },
    });
    expect(uploadFieldsSchema.parse({ encoding: '' }).encoding).toBeUndefined();
  });

  it('accepts http and https URLs without credentials, up to the maximum length', () => {
    const isAccepted = (address: string): boolean => webUrlSchema.safeParse(address).success;
    for (const address of [
      'http://example.com',
      'https://bücher.example/ü?q=a b#c',
      `http://a/${'x'.repeat(2_039)}`,
    ])
      expect([address, isAccepted(address)]).toEqual([address, true]);
    for (const address of [
      'ftp://example.com/',
      'example.com',
      'http://',
      'https://user@example.com/',
      'https://:secret@example.com/',
      `http://a/${'x'.repeat(2_040)}`,
      // Within the limit as written, but over the limit when percent-encoded.
      `http://a/${'界'.repeat(300)}`,
    ])
      expect([address, isAccepted(address)]).toEqual([address, false]);
  });

  it('accepts up to ten wildcards in a pattern; consecutive stars count as one', () => {
    const pattern = '/**/*a/***b'.repeat(3) + '**';
    expect(datasourceConfigSchema.safeParse({ include: [pattern] }).success).toBeTruthy();
    const { error } = datasourceConfigSchema.safeParse({ exclude: ['/docs/**', `${pattern}/*`] });
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['exclude', 1], 'must have at most 10 wildcards (* or **)'],
    ]);
  });
});
