import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createDatasourceSchema,
  DATASOURCE_CONFIG_KEYS,
  datasourceConfigSchema,
} from './datasources.schema.js';

describe('the config of a datasource', () => {
  it('may hold what its type is created with, and nothing else', () => {
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(DATASOURCE_CONFIG_KEYS).map(([type, keys]) => [type, [...keys].sort()]),
      ),
      {
        file: [],
        text: [],
        web_page: ['render', 'schedule', 'source_url'],
        web_site: [
          'exclude',
          'include',
          'maxDepth',
          'maxPages',
          'render',
          'schedule',
          'sitemap',
          'source_url',
        ],
      },
    );
  });

  it('is kept when it is created, with the keys that its type has', () => {
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
    };
    for (const type of ['web_page', 'web_site'] as const) {
      const created = createDatasourceSchema.parse({ type, datastoreId: 'store', config });
      assert.deepEqual(Object.keys(created.config ?? {}).sort(), [...DATASOURCE_CONFIG_KEYS[type]].sort());
    }
    assert.deepEqual(datasourceConfigSchema.parse(config), config);
  });
});
