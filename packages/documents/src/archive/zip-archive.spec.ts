import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildZip } from '../test-files/index.js';
import { ZipArchive } from './zip-archive.js';

describe('ZipArchive', () => {
  it('reads entries', () => {
    const archive = new ZipArchive(buildZip({ 'a/b.xml': 'hello', empty: '' }));
    assert.deepEqual(archive.names, ['a/b.xml', 'empty']);
    assert.equal(archive.readText('a/b.xml'), 'hello');
    assert.equal(archive.readText('empty'), '');
    assert.equal(archive.readText('none'), null);
  });

  it('rejects zip bombs before inflating them', () => {
    const zip = buildZip({ bomb: '0'.repeat(5_000_000), b: 'x', c: 'x' });
    assert.throws(() => new ZipArchive(zip).read('bomb'), { code: 'TOO_COMPLEX' });
    const limits = { maxEntries: 3, maxInflatedBytes: 1_000_000, maxRatio: 10_000 };
    assert.throws(() => new ZipArchive(zip, limits).read('bomb'), { code: 'TOO_COMPLEX' });
    assert.throws(() => new ZipArchive(zip, { ...limits, maxEntries: 2 }), { code: 'TOO_COMPLEX' });
  });

  it('rejects an entry larger than its size in the directory', () => {
    const zip = Buffer.from(buildZip({ bomb: '0'.repeat(2_000_000) }));
    const directory = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt32LE(10, directory + 24);
    assert.throws(() => new ZipArchive(zip).read('bomb'), { code: 'CORRUPT_FILE' });
  });

  it('rejects truncated archives and other files', () => {
    const zip = buildZip({ a: 'hello '.repeat(100) });
    assert.throws(() => new ZipArchive(zip.subarray(0, zip.length - 30)), { code: 'CORRUPT_FILE' });
    assert.throws(() => new ZipArchive(Buffer.from('nothing')), { code: 'CORRUPT_FILE' });
    const encrypted = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100)]);
    assert.throws(() => new ZipArchive(encrypted), { code: 'PASSWORD_REQUIRED' });
  });
});
