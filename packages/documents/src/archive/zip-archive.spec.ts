import { describe, expect, it } from '@jest/globals';
import { buildZip } from '../test-files/index.js';
import { ZipArchive } from './zip-archive.js';

describe('ZipArchive', () => {
  it('reads entries', () => {
    const archive = new ZipArchive(buildZip({ 'a/b.xml': 'hello', empty: '' }));
    expect(archive.names).toEqual(['a/b.xml', 'empty']);
    expect(archive.readText('a/b.xml')).toBe('hello');
    expect(archive.readText('empty')).toBe('');
    expect(archive.readText('none')).toBeNull();
  });

  it('rejects zip bombs before inflating them', () => {
    const tooComplex = expect.objectContaining({ code: 'TOO_COMPLEX' });
    const zip = buildZip({ bomb: '0'.repeat(5_000_000) });
    expect(() => new ZipArchive(zip).read('bomb')).toThrow(tooComplex);
    // `mimetype` is stored, so the ratio is small.
    const large = Buffer.from(buildZip({ mimetype: new Uint8Array(4_000_000) }));
    large.writeUInt32LE(600_000_000, large.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    expect(() => new ZipArchive(large).read('mimetype')).toThrow(tooComplex);
    const names = Array.from({ length: 20_001 }, (_, index) => [`${index}`, ''] as const);
    const many = buildZip(Object.fromEntries(names));
    expect(() => new ZipArchive(many)).toThrow(tooComplex);
  });

  it('reads entries whose checksum is wrong, or whose size is too large, in one way', async () => {
    const zip = Buffer.from(buildZip({ a: 'hello' }));
    const directory = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt32LE(0, directory + 16);
    zip.writeUInt32LE(10, directory + 24);
    const archive = new ZipArchive(zip);
    expect(archive.readText('a')).toBe('hello');
    let text = '';
    for await (const piece of archive.readTextPieces('a')) text += piece;
    expect(text).toBe('hello');
  });

  it('rejects an entry larger than its size in the directory', () => {
    const zip = Buffer.from(buildZip({ bomb: '0'.repeat(2_000_000) }));
    const directory = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt32LE(10, directory + 24);
    expect(() => new ZipArchive(zip).read('bomb')).toThrow(expect.objectContaining({ code: 'CORRUPT_FILE' }));
  });

  it('rejects truncated archives and other files', () => {
    const zip = buildZip({ a: 'hello '.repeat(100) });
    expect(() => new ZipArchive(zip.subarray(0, zip.length - 30))).toThrow(
      expect.objectContaining({ code: 'CORRUPT_FILE' }),
    );
    expect(() => new ZipArchive(Buffer.from('nothing'))).toThrow(
      expect.objectContaining({ code: 'CORRUPT_FILE' }),
    );
    const encrypted = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100)]);
    expect(() => new ZipArchive(encrypted)).toThrow(expect.objectContaining({ code: 'PASSWORD_REQUIRED' }));
  });
});
