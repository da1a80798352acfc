import { expect, it } from '@jest/globals';
import { createDatasourceSchema, uploadFieldsSchema } from './datasources.schema.js';

const text = { type: 'text', datastoreId: 'd', text: 't' };
const config = { custom_id: 'c' };
const page = { type: 'web_page', datastoreId: 'd', config: { source_url: 'https://example.com/' } };

it.each([
  [createDatasourceSchema, { ...text }, true],
  [createDatasourceSchema, { ...text, upsert: true, custom_id: 'c' }, true],
  [createDatasourceSchema, { ...text, upsert: true, config }, true],
  [createDatasourceSchema, { ...text, upsert: true, custom_id: '', config }, true],
  [createDatasourceSchema, { ...text, upsert: true, custom_id: null }, false],
  [createDatasourceSchema, { ...page, upsert: true, custom_id: '' }, false],
  [createDatasourceSchema, { ...page, upsert: true }, false],
  [uploadFieldsSchema, { upsert: 'false' }, true],
  [uploadFieldsSchema, { upsert: 'true', custom_id: 'c' }, true],
  [uploadFieldsSchema, { upsert: 'true', custom_id: '' }, false],
  [uploadFieldsSchema, { upsert: 'true' }, false],
])('an upsert requires a custom id (%#)', (schema, body, isValid) => {
  const issues = schema.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]);
  expect(issues).toEqual(isValid ? undefined : [['custom_id', 'is required with upsert']]);
});
