import { describe, expect, it } from '@jest/globals';
import { requestCost, writtenDatasources } from './request-cost.js';

const FORM = 'multipart/form-data; boundary=x';
const JSON_TYPE = 'application/json';

describe('requestCost', () => {
  it.each([
    ['a file by its bytes', '/api/datasources', FORM, '1000000', 0, 1_000_000],
    ['a small file at least 64 kB', '/api/datasources', FORM, '120', 0, 65_536],
    ['the deprecated upload', '/api/external/datastores/file-upload/:datastoreId', FORM, '70000', 0, 70_000],
    ['a text as a request', '/api/datasources', JSON_TYPE, '1000000', 1, 0],
    ['a batch as a request and its bytes', '/api/datasources/batch', JSON_TYPE, '1000', 1, 1_000],
    ['the deprecated upsert likewise', '/api/datastores/upsert/:datastoreId', JSON_TYPE, '1000', 1, 1_000],
    ['a form on another route as a request', '/api/agents', FORM, '120', 1, 0],
    ['a file of unknown length by the least', '/api/datasources', FORM, undefined, 0, 65_536],
    ['an unknown route as a request', undefined, FORM, '120', 1, 0],
  ])('counts %s', (_, route, type, length, requests, uploadedBytes) => {
    const headers = { 'content-type': type, ...(length === undefined ? {} : { 'content-length': length }) };
    expect(requestCost(route, headers)).toEqual({ requests, uploadedBytes });
  });

  it('does not take the compressed bytes of a batch for its length', () => {
    const headers = { 'content-type': JSON_TYPE, 'content-length': '1000', 'content-encoding': 'gzip' };
    expect(requestCost('/api/datasources/batch', headers)).toEqual({ requests: 1, uploadedBytes: 1 });
  });
});

it.each([
  ['/api/datasources', 1],
  ['/api/datasources/:id/file', 1],
  ['/api/datastores/update/:datastoreId', 1],
  ['/api/datasources/batch', 1_000],
  ['/api/datastores/upsert/:datastoreId', 1_000],
  ['/api/datasources/:id', 0],
  ['/api/agents', 0],
  [undefined, 0],
])('writtenDatasources of %s is %d', (route, datasources) => {
  expect(writtenDatasources(route)).toBe(datasources);
});
