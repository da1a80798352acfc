import { buildZip } from '@citewell/documents/test-files';
import { type HostileFile, noise } from './hostile-content.js';

const DIRECTORY_ENTRY = Buffer.from('PK\u0001\u0002', 'latin1');
const END_RECORD = Buffer.from('PK\u0005\u0006', 'latin1');
const TEXT = 'The file of a hostile archive tells of nothing.';

/** Changes the entries of the directory, each given with its header of 46 bytes and its name. */
function withEntries(zip: Uint8Array, change: (entries: Buffer[]) => Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(zip);
  const start = bytes.indexOf(DIRECTORY_ENTRY);
  const end = bytes.lastIndexOf(END_RECORD);
  const entries: Buffer[] = [];
  for (let at = start; at < end;) {
    const length =
      46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    entries.push(bytes.subarray(at, at + length));
    at += length;
  }
  const changed = change(entries);
  const record = Buffer.from(bytes.subarray(end));
  const directory = Buffer.concat(changed);
  record.writeUInt16LE(changed.length & 0xffff, 8);
  record.writeUInt16LE(changed.length & 0xffff, 10);
  record.writeUInt32LE(directory.length, 12);
  record.writeUInt32LE(start, 16);
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, start), directory, record]));
}

/** Copies entries under other names of the same length. */
function copies(entry: Buffer | undefined, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const copy = Buffer.from(entry ?? []);
    copy.write(String(n).padStart(5, '0'), 46, 'latin1');
    return copy;
  });
}

const mapped = (change: (entry: Buffer) => unknown) =>
  withEntries(buildZip({ 'a.txt': TEXT, 'b.txt': TEXT }), (entries) =>
    entries.map((entry) => (change(entry), entry)),
  );
/** ZIP archives that attack whoever unpacks them. */
export const HOSTILE_ARCHIVES: readonly HostileFile[] = [
  {
    name: 'traversal.zip',
    content: buildZip(
      Object.fromEntries(
        [
          '../../a.txt',
          '/etc/cron.d/a.txt',
          '..\\..\\b.txt',
          'C:\\Windows\\c.txt',
          'a/./../../d.txt',
          '....//e.txt',
          '%2e%2e/f.txt',
          'nul\0.txt',
          '\u202etxt.exe.txt',
          `${'d/'.repeat(120)}g.txt`,
        ].map((name) => [name, TEXT]),
      ),
    ),
    outcome: 'synched PARTIAL',
  },
  {
    name: 'symlinks.zip',
    content: mapped((entry) => entry.writeUInt32LE((0o120777 << 16) >>> 0, 38)),
    outcome: 'synched',
  },
  {
    name: 'same-names.zip',
    content: withEntries(buildZip({ 'a.txt': TEXT, 'b.txt': TEXT }), ([first]) =>
      Array.from({ length: 9_000 }, () => first ?? Buffer.alloc(0)),
    ),
    outcome: 'synched',
  },
  {
    name: 'overlap.zip',
    content: withEntries(buildZip({ '00000.txt': noise(200_000) }), ([entry]) => copies(entry, 9_000)),
    outcome: 'error TOO_COMPLEX',
  },
  {
    // The directory tells that each copy takes no bytes.
    name: 'overlap-hidden.zip',
    content: withEntries(buildZip({ '00000.txt': noise(200_000) }), ([entry]) =>
      copies(entry, 9_000).map((copy) => (copy.writeUInt32LE(10, 20), copy)),
    ),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'entries.zip',
    content: withEntries(buildZip({ '00000.txt': TEXT }), ([entry]) => copies(entry, 60_000)),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'sizes.zip',
    content: mapped((entry) => entry.writeUInt32LE(0xfffffffe, 24)),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'offsets.zip',
    content: mapped((entry) => entry.writeUInt32LE(0xfffffff0, 42)),
    outcome: 'error ARCHIVE_EMPTY',
  },
  {
    name: 'checksums.zip',
    content: mapped((entry) => entry.writeUInt32LE(1, 16)),
    outcome: 'error ARCHIVE_EMPTY',
  },
  {
    name: 'headers.zip',
    content: mapped((entry) => entry.writeUInt32LE(3, 42)),
    outcome: 'error ARCHIVE_EMPTY',
  },
  {
    name: 'nested.zip',
    content: buildZip({ 'a.zip': buildZip({ 'b.zip': buildZip({ 'c.txt': TEXT }) }), 'a.txt': TEXT }),
    outcome: 'synched PARTIAL',
  },
  {
    name: 'extra.zip',
    content: mapped((entry) => entry.writeUInt16LE(60_000, 30)),
    outcome: 'error CORRUPT_FILE',
  },
];
