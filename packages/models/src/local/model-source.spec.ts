import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { folderOf, isLocalModel, parseModelSource } from './model-source.js';

const parse = (name: string) => parseModelSource(name, 'me/default');

describe('the source of a local model', () => {
  it.each([
    ['local', { kind: 'hub', id: 'me/default' }],
    ['local:Xenova/all-MiniLM-L6-v2', { kind: 'hub', id: 'Xenova/all-MiniLM-L6-v2' }],
    ['local:bge-m3', { kind: 'hub', id: 'bge-m3' }],
    [
      'local:https://mirror.example/models/small',
      { kind: 'url', url: 'https://mirror.example/models/small/' },
    ],
    ['local:http://[::1]:8000//', { kind: 'url', url: 'http://[::1]:8000/' }],
    [`local:${tmpdir()}`, { kind: 'directory', path: tmpdir(), name: tmpdir() }],
  ])('%s', (name, source) => expect(parse(name)).toEqual(source));

  it.each([
    ['local:', /is `local:` with/],
    ['local:a/b/c', /is `local:` with/],
    ['local:me/../../etc', /is `local:` with/],
    ['local:me/..', /is `local:` with/],
    ['local:ftp://mirror.example/small', /is `local:` with/],
    ['local:./no-such-folder', /does not exist/],
    ['local:https://me:secret@mirror.example/small', /no user name/],
    ['local:https://mirror.example/small?key=secret', /no user name/],
    ['local:http://[', /malformed/],
  ])('refuses %s', (name, message) => expect(() => parse(name)).toThrow(message));

  it('of two mirrors are stored apart', () => {
    const folders = ['http://a/small', 'http://b/small', 'http://a/%2e%2e', 'http://a/..%2f..%2fsmall'].map(
      (url) => folderOf(parse(`local:${url}`) as { kind: 'url'; url: string }, '/data'),
    );
    expect(new Set(folders).size).toBe(4);
    for (const folder of folders) expect(folder).toMatch(/^\/data\/mirrors\/[\w.-]+-[0-9a-f]{8}$/);
  });

  it('is local by its name', () => {
    expect(['local', 'local:x', 'locally', 'builtin'].map(isLocalModel)).toEqual([true, true, false, false]);
  });
});
