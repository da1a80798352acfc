import { describe, expect, it } from '@jest/globals';
import { type ArchivedFile, compareFiles, type ExistingFile } from './archive.repository.js';

const existing = (id: string, fields: Partial<ExistingFile> = {}): ExistingFile => ({
  id,
  name: `${id}.txt`,
  metadata: null,
  sha256: 'a',
  mimeType: 'text/plain',
  isSynched: true,
  isBusy: false,
  ...fields,
});
const unpacked = (datasourceId: string, fields: Partial<ArchivedFile> = {}): ArchivedFile => ({
  datasourceId,
  isNew: false,
  path: `${datasourceId}.txt`,
  name: `${datasourceId}.txt`,
  mimeType: 'text/plain',
  content: { key: `key of ${datasourceId}`, bytes: 1, sha256: 'a' },
  ...fields,
});
const otherContent = { key: 'key of 1', bytes: 1, sha256: 'b' };

describe('the changes of the files of an archive', () => {
  const nothing = {
    added: [],
    changed: [],
    renamed: [],
    misnamed: [],
    repeated: [],
    missing: [],
    unused: [],
  };
  for (const [what, had, has, repeatsEqual, changes, unread = []] of [
    ['a new file', [], [unpacked('1', { isNew: true })], true, { added: ['1'] }],
    ['other content', [existing('1')], [unpacked('1', { content: otherContent })], false, { changed: ['1'] }],
    ['another type', [existing('1')], [unpacked('1', { mimeType: 'text/html' })], false, { changed: ['1'] }],
    ['an equal file', [existing('1')], [unpacked('1')], false, { unused: ['key of 1'] }],
    [
      'an equal file, sync',
      [existing('1')],
      [unpacked('1')],
      true,
      { repeated: ['1'], unused: ['key of 1'] },
    ],
    [
      'an equal file that failed',
      [existing('1', { isSynched: false })],
      [unpacked('1')],
      false,
      { repeated: ['1'], unused: ['key of 1'] },
    ],
    [
      'an equal file with an unfinished run',
      [existing('1', { isSynched: false, isBusy: true })],
      [unpacked('1')],
      true,
      { unused: ['key of 1'] },
    ],
    [
      'another name of a file of an export',
      [existing('1', { metadata: { path: '1.txt' } })],
      [unpacked('1', { name: 'One', metadata: { path: '1.txt' } })],
      false,
      {
        renamed: [{ id: '1', name: 'One', metadata: { path: '1.txt' } }],
        misnamed: ['1'],
        unused: ['key of 1'],
      },
    ],
    [
      'another place of a file of an export',
      [existing('1', { metadata: { path: '1.txt' } })],
      [unpacked('1', { metadata: { path: 'x/1.txt' } })],
      false,
      { renamed: [{ id: '1', name: '1.txt', metadata: { path: 'x/1.txt' } }], unused: ['key of 1'] },
    ],
    [
      'another name and other content of a file of an export',
      [existing('1', { metadata: { path: '1.txt' } })],
      [unpacked('1', { name: 'One', metadata: { path: '1.txt' }, content: otherContent })],
      false,
      { renamed: [{ id: '1', name: 'One', metadata: { path: '1.txt' } }], changed: ['1'] },
    ],
    [
      'a file that is not of an export any more',
      [existing('1', { name: 'One', metadata: { path: 'One' } })],
      [unpacked('1')],
      false,
      { renamed: [{ id: '1', name: '1.txt', metadata: null }], misnamed: ['1'], unused: ['key of 1'] },
    ],
    [
      'a name that a person has chosen',
      [existing('1', { name: 'Mine' })],
      [unpacked('1')],
      false,
      { unused: ['key of 1'] },
    ],
    [
      'a missing file',
      [existing('1'), existing('2')],
      [unpacked('2')],
      false,
      { missing: ['1'], unused: ['key of 2'] },
    ],
    [
      'a missing file, and one that cannot be read',
      [existing('1'), existing('2', { isSynched: false }), existing('3')],
      [unpacked('3')],
      false,
      { missing: ['1'], unused: ['key of 3'] },
      ['2'],
    ],
    ['a file that was deleted during unpacking', [], [unpacked('1')], true, { unused: ['key of 1'] }],
  ] as const)
    it(`for ${what}`, () => {
      const { added, changed, ...ids } = compareFiles(had, has, unread, repeatsEqual);
      const idsOf = (files: readonly ArchivedFile[]) => files.map(({ datasourceId }) => datasourceId);
      expect({ ...ids, added: idsOf(added), changed: idsOf(changed) }).toEqual({ ...nothing, ...changes });
    });
});
