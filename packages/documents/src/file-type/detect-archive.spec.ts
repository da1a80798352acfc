import { describe, expect, it } from '@jest/globals';
import { buildZip } from '../test-files/index.js';
import { isArchive } from './detect-archive.js';

const zip = buildZip({ 'a.txt': 'x' });

describe('isArchive', () => {
  it.each([
    ['a zip', zip, 'a.zip', undefined, true],
    ['a zip with capitals and a generic type', zip, 'A.ZIP', 'application/octet-stream', true],
    ['a truncated zip', zip.subarray(0, 30), 'a.zip', undefined, true],
    ['a zip without files', buildZip({}), 'a.zip', undefined, true],
    ['a zip without a name', zip, '', 'application/zip; a=b', true],
    ['a zip of Windows without a name', zip, 'blob', 'application/x-zip-compressed', true],
    ['a zip without name and type', zip, 'blob', undefined, false],
    ['a zip of another kind', zip, 'a.jar', 'application/zip', false],
    ['a spreadsheet', zip, 'a.ods', undefined, false],
    ['a text', Buffer.from('hello'), 'a.zip', 'application/zip', false],
    ['nothing', Buffer.alloc(0), 'a.zip', undefined, false],
  ])('%s', async (_what, bytes, fileName, mime, expected) => {
    const source = {
      size: bytes.length,
      read: async (start: number, end: number) => bytes.subarray(start, end),
    };
    const declared = { fileName, ...(mime === undefined ? {} : { declaredMimeType: mime }) };
    expect(await isArchive(source, declared)).toBe(expected);
  });
});
