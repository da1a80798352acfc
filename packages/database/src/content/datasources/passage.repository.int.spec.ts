import { afterAll, expect, it } from '@jest/globals';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PassageRepository } from './passage.repository.js';

const server = new TestServer();
afterAll(() => server.close());

it('counts the documents of a datastore by the endings of their names', async () => {
  const dataSource = await server.database();
  const own = await TestTenant.create(dataSource);
  const names = [
    'a.pdf',
    'b.PDF',
    'c.v2.docx',
    'd.longest',
    'e.',
    'none',
    'f.p f',
    'ü.ödt',
    '.md',
    'x.12345',
  ];
  for (const name of names) await own.serve((await own.datasource({ type: 'file', name })).datasource.id);
  await own.serve((await own.datasource({ name: 'text.pdf' })).datasource.id);
  const [counts] = await new PassageRepository(dataSource).counts(own.scope, [own.datastoreId]);
  expect(counts?.documents).toBe(11);
  const kinds = { PDF: 2, DOCX: 1, ÖDT: 1, MD: 1, '12345': 1, TXT: 1 };
  expect(Object.fromEntries(counts?.kinds ?? [])).toEqual(kinds);
});
