import { describe, expect, it } from '@jest/globals';
import { type Kept, planSync } from './plan-sync.js';

/** Files or documents: each word is a name, `:` and the content. The id of a document is its name in capitals. */
const files = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [path = '', sha256 = ''] = word.split(':');
      return { path, customId: path, sha256 };
    });
const documents = (text: string) =>
  files(text).map(({ path, ...rest }) => ({ ...rest, name: path, id: path.toUpperCase() }));
const none: Kept = { isKept: () => false, isLeftOut: () => false };

function plan(folder: string, library: string, kept = none): string {
  const {
    unchanged,
    kept: stays,
    moves,
    uploads,
    removals,
    suspicious,
  } = planSync(files(folder), documents(library), kept);
  return [
    `=${unchanged}`,
    ...(stays > 0 ? [`~${stays}`] : []),
    ...moves.map(({ document, file }) => `${document.id}>${file.path}`),
    ...uploads.map(({ path }) => `+${path}`),
    ...removals.map(({ id }) => `-${id}`),
    ...(suspicious ? [`!${suspicious.gone}/${suspicious.total}`] : []),
  ].join(' ');
}

describe('planSync', () => {
  it.each([
    ['a:1 b:2', '', '=0 +a +b'],
    ['a:1 b:2', 'a:1 b:2', '=2'],
    ['a:9 b:2', 'a:1 b:2', '=1 +a'],
    ['b:2', 'a:1 b:2', '=1 -A'],
    // Moved, also into a place whose file has moved on; two files of the same content become two documents.
    ['c:1 b:2', 'a:1 b:2', '=1 A>c'],
    ['b:1 c:2', 'a:1 b:2', '=0 +b +c -A'],
    ['c:1 d:1 b:2', 'a:1 b:2', '=1 A>c +d'],
    ['a:2 b:1', 'a:1 b:2', '=0 +a +b'],
    // Of two documents of one file, one goes.
    ['a:1 b:2', 'a:1 b:2 a:1', '=2 -A'],
    // The rule of sites: all; at least 3 and more than half; at least 10 and a quarter.
    ['', 'a:1', '=0 -A !1/1'],
    ['c:3 d:4', 'a:1 b:2', '=0 +c +d -A -B !2/2'],
    ['d:4 e:5', 'a:1 b:2 c:3 d:4 e:5', '=2 -A -B -C !3/5'],
    ['c:3 d:4 e:5', 'a:1 b:2 c:3 d:4 e:5', '=3 -A -B'],
  ])('makes of the folder "%s" and the library "%s": %s', (folder, library, expected) => {
    expect(plan(folder, library)).toBe(expected);
  });

  it('keeps the document of what cannot be read, and does not count what is left out', () => {
    const kept = {
      isKept: ({ name }: { name: string }) => name === 'a',
      isLeftOut: ({ name }: { name: string }) => name !== 'a',
    };
    expect(plan('d:4', 'a:1 b:2 c:3 d:4', kept)).toBe('=1 ~1 -B -C');
    expect(plan('', 'b:2 c:3', kept)).toBe('=0 -B -C !2/2');
  });

  it('sends everything to a server that does not tell digests', () => {
    const [document] = documents('a:1');
    const { uploads } = planSync(
      files('a:1'),
      [{ id: 'A', name: 'a', customId: document?.customId ?? '' }],
      none,
    );
    expect(uploads).toHaveLength(1);
  });
});
