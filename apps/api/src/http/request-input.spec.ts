import { expect, it } from '@jest/globals';
import { emptyFilters } from './request-input.js';

it.each<[body: unknown, paths: string[][]]>([
  [{ filters: { datasource_ids: [] } }, [['filters', 'datasource_ids']]],
  [{ filters: { custom_ids: [], datasource_ids: ['a'] } }, [['filters', 'custom_ids']]],
  [{ filters: { custom_ids: ['a'], datasource_ids: null } }, []],
  [{ filters: null }, []],
  [{ query: [] }, []],
  [null, []],
])('finds the empty filters of %j', (body, paths) => expect(emptyFilters(body)).toEqual(paths));
