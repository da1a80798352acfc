import { TenantScope } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { SourceCheckService } from './source-check.service.js';

const LINES = [
  { document: { id: '1', path: 'open.txt', version: '1' } },
  {
    document: {
      id: '2',
      path: 'board/pay.txt',
      version: '1',
      access: { people: ['ada@example.org'], groups: [] },
    },
  },
  { document: { id: '3', path: 'board/nobody.txt', version: '1', access: { people: [], groups: [] } } },
  { done: true, cursor: null },
];
const PROGRAM = `while read line; do case $line in
  *check*) echo '{"done": true, "message": "It is there."}';;
  *) echo '${LINES.map((line) => JSON.stringify(line)).join('\n')}';;
esac; done`;

describe('the test of a source', () => {
  it('counts documents whose readers the source names, and tells no names of them', async () => {
    const context = { secrets: {}, folders: [], programs: { archive: ['sh', '-c', PROGRAM] } };
    const connections = { contextWith: () => context } as never;
    const service = new SourceCheckService({ find: async () => null }, connections);
    const config = { kind: 'program', program: 'archive' } as const;
    expect(await service.check(new TenantScope('o'), { config })).toEqual({
      message: 'It is there.',
      documents: [{ path: 'open.txt', bytes: null, modifiedAt: null }],
      found: 3,
      leftOut: 0,
      isComplete: true,
    });
    const guess = { ...config, include: ['board/p*'] };
    expect(await service.check(new TenantScope('o'), { config: guess })).toMatchObject({
      documents: [],
      found: 2,
      leftOut: 1,
    });
  });
});
