import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isHidden, listFiles } from './list-files.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'citewell-list-'));
});
afterAll(() => rm(root, { recursive: true }));

it('lists what can be read, and why the rest is skipped', async () => {
  const files: Record<string, string | Buffer> = {
    'a b ü 🦊.md': '# Title',
    'config.yaml': 'port: 80',
    LICENSE: 'All rights reserved.',
    'sub/a.txt': 'first',
    'sub/deep/a.txt': 'second',
    'sub/tool.py': 'print(1)',
    'sub/__init__.py': '',
    'utf16.log': Buffer.from('Started', 'utf16le'),
    'MZ.notes': 'MZ is how programs begin',
    'scan.bak': '%PDF-1.7',
    'feed.xml': '<?xml version="1.0"?><a/>',
    'data.dat': Buffer.from('00112233', 'hex'),
    'logs.gz': Buffer.from('1f8b080000000000', 'hex'),
    'plot.ps': '%!PS-Adobe',
    'photo.JPG': Buffer.from('ffd8ffe000104a464946', 'hex'),
    'photo.heic': '\0\0\0\u0018ftypheic\0\0\0\0',
    'offer.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]),
    '.env': 'SECRET=1',
    '.git/config': '[core]',
    'node_modules/x/readme.md': '# x',
    'Thumbs.db': 'x',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), content);
  }
  await symlink(root, join(root, 'sub', 'loop'));
  await symlink('/etc/hostname', join(root, 'link.txt'));
  await symlink('missing', join(root, 'dangling.md'));
  const { files: listed, skipped } = await listFiles(root);
  const relative = (path: string) => path.slice(root.length + 1);
  expect(listed.map(relative)).toEqual([
    'LICENSE',
    'MZ.notes',
    'a b ü 🦊.md',
    'config.yaml',
    'photo.JPG',
    'scan.bak',
    'sub/a.txt',
    'sub/deep/a.txt',
    'sub/tool.py',
    'utf16.log',
  ]);
  expect(Object.fromEntries(skipped.map(({ path, reason }) => [relative(path), reason]))).toEqual({
    '.env': 'hidden',
    '.git': 'hidden',
    'Thumbs.db': 'hidden',
    'dangling.md': 'link',
    'data.dat': 'BINARY',
    'feed.xml': 'XML',
    'link.txt': 'link',
    'logs.gz': 'ARCHIVE',
    node_modules: 'program',
    'offer.doc': 'OLD_WORD',
    'photo.heic': 'IMAGE',
    'plot.ps': 'PRINT_FILE',
    'sub/__init__.py': 'empty',
    'sub/loop': 'link',
  });
});

it.each([
  ['a.md', false],
  ['.hidden.md', true],
  [join('a', '.git', 'x'), true],
  [join('node_modules', 'x.md'), true],
])('isHidden of %s is %s', (path, expected) => {
  expect(isHidden(path)).toBe(expected);
});
