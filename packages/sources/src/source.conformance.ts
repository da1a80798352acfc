import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Source, type SourceDocument, SourceError } from './source.js';

/** A partner that holds documents, and a way to open it as a source. */
export interface SourceWorld {
  /** Opens the source anew, as another process would. */
  open(): Promise<Source>;
  write(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes the partner unreachable, or reachable again. */
  setReachable(isReachable: boolean): Promise<void>;
  /** Stops the partner, and removes its documents. */
  stop(): Promise<void>;
}

export interface ConformanceOptions {
  /** What the partner cannot have: its store knows no such name. */
  readonly withoutNames?: readonly string[];
  /** Documents of the large inventory. Default 10,000. */
  readonly many?: number;
  /** Whether a document can be fetched as it was listed, without the partner. Default: false. */
  readonly isCached?: boolean;
  /** The name that was written, of the path that is listed. Default: they are the same. */
  readonly nameOf?: (path: string) => string;
  /** The text that was written, of the content that is fetched. Default: they are the same. */
  readonly textOf?: (content: Buffer) => string;
}

/** Names that people have, by what is unusual about them. */
const NAMES: Readonly<Record<string, string>> = {
  blanks: 'Annual report  2026 (final).txt',
  umlauts: 'Übergrößen/Maße.txt',
  decomposed: 'Re\u{301}sume\u{301}.txt',
  Japanese: '報告書/二〇二六年.txt',
  emoji: 'notes 🚢.txt',
  percent: '100% done#1?.txt',
  quotes: `O'Brien "draft".txt`,
  deep: `${'a/'.repeat(30)}b.txt`,
};

const never = new AbortController().signal;

/** Lists documents, with the names that were written as paths. */
async function listNamed(
  source: Source,
  cursor: string | null,
  nameOf: (path: string) => string,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  let isComplete = false;
  for await (const page of source.inventory(cursor, never)) {
    expect(isComplete).toBe(false);
    documents.push(...page.documents.map((document) => ({ ...document, path: nameOf(document.path) })));
    isComplete = page.cursor === null;
  }
  expect(isComplete).toBe(true);
  return documents;
}

/** Conformance suite of the {@link Source} contract, against a real partner. */
export function sourceConformance(
  name: string,
  makeWorld: () => Promise<SourceWorld>,
  {
    withoutNames = [],
    many = 10_000,
    isCached = false,
    nameOf = (path) => path,
    textOf = (content) => content.toString(),
  }: ConformanceOptions = {},
): void {
  const listAll = (source: Source, cursor: string | null = null): Promise<SourceDocument[]> =>
    listNamed(source, cursor, nameOf);
  const contentOf = async (source: Source, document: SourceDocument): Promise<string> => {
    const { content } = await source.fetch(document, never);
    return textOf(await buffer(content));
  };

  describe(`${name}: source conformance`, () => {
    let world: SourceWorld;
    const opened: Source[] = [];
    const open = async (): Promise<Source> => {
      const source = await world.open();
      opened.push(source);
      return source;
    };
    const paths = async (): Promise<string[]> =>
      (await listAll(await open())).map(({ path }) => path.normalize()).toSorted();
    const find = async (source: Source, path: string): Promise<SourceDocument> => {
      const found = (await listAll(source)).find((document) => document.path === path);
      if (found === undefined) throw new Error(`${path} is not listed`);
      return found;
    };

    beforeEach(async () => {
      world = await makeWorld();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((source) => source.close()));
      await world.stop();
    });

    it('is empty, and says that this is all', async () => {
      const source = await open();
      expect(await listAll(source)).toEqual([]);
      expect(await source.check(never)).toMatch(/\.$/);
    });

    for (const [what, path] of Object.entries(NAMES)) {
      if (withoutNames.includes(what)) continue;
      it(`lists and fetches names with ${what}`, async () => {
        await world.write(path, `content of ${what}`);
        const source = await open();
        const [document, ...others] = await listAll(source);
        expect([document?.path.normalize(), others]).toEqual([path.normalize(), []]);
        expect(await contentOf(source, document as SourceDocument)).toBe(`content of ${what}`);
      });
    }

    it('keeps the version of what has not changed, and changes that of what has', async () => {
      await world.write('same.txt', 'one');
      await world.write('other.txt', 'two');
      const before = await listAll(await open());
      await world.write('other.txt', 'TWO');
      const after = await listAll(await open());
      const versions = (documents: SourceDocument[]): Record<string, string> =>
        Object.fromEntries(documents.map(({ path, version }) => [path, version]));
      expect(versions(after)['same.txt']).toBe(versions(before)['same.txt']);
      expect(versions(after)['other.txt']).not.toBe(versions(before)['other.txt']);
    });

    it('gives the listed version of what has not changed', async () => {
      await world.write('a.txt', 'one');
      const source = await open();
      const document = await find(source, 'a.txt');
      const { version, content } = await source.fetch(document, never);
      expect([version, textOf(await buffer(content))]).toEqual([document.version, 'one']);
    });

    it('follows renames, deletions and returns', async () => {
      await world.write('a.txt', 'one');
      await world.write('folder/b.txt', 'two');
      await world.rename('a.txt', 'folder/A.txt');
      await world.rename('folder/b.txt', 'B.txt');
      expect(await paths()).toEqual(['B.txt', 'folder/A.txt']);
      await world.remove('B.txt');
      expect(await paths()).toEqual(['folder/A.txt']);
      await world.write('B.txt', 'three');
      const source = await open();
      expect(await contentOf(source, await find(source, 'B.txt'))).toBe('three');
    });

    it('says that a document is gone', async () => {
      await world.write('a.txt', 'one');
      const listing = await open();
      const document = await find(listing, 'a.txt');
      await world.remove('a.txt');
      const source = isCached ? await open() : listing;
      await expect(contentOf(source, document)).rejects.toMatchObject({ kind: 'gone' });
    });

    it('has an empty document, and one of a megabyte', async () => {
      const large = 'zero one two three four five six seven '.repeat(26_000).trimEnd();
      await world.write('empty.txt', '');
      await world.write('large.txt', large);
      const source = await open();
      expect(await contentOf(source, await find(source, 'empty.txt'))).toBe('');
      expect(await contentOf(source, await find(source, 'large.txt'))).toBe(large);
    });

    it('goes on in another process after each page', async () => {
      for (let n = 0; n < 40; n += 1) await world.write(`folder ${n % 4}/document ${n}.txt`, String(n));
      const all = (await listAll(await open())).map(({ id }) => id).toSorted();
      expect(new Set(all).size).toBe(40);
      const seen: string[] = [];
      for await (const { documents, cursor } of (await open()).inventory(null, never)) {
        seen.push(...documents.map(({ id }) => id));
        if (cursor === null) continue;
        const rest = (await listAll(await open(), cursor)).map(({ id }) => id);
        expect([...new Set([...seen, ...rest])].toSorted()).toEqual(all);
      }
    });

    it('fails instead of ending when the partner is unreachable', async () => {
      for (let n = 0; n < 5; n += 1) await world.write(`${n}.txt`, String(n));
      const source = await open();
      const [document] = await listAll(source);
      await world.setReachable(false);
      const failures = await Promise.allSettled([
        listAll(source),
        contentOf(isCached ? await open() : source, document as SourceDocument),
        source.check(never),
      ]);
      for (const failure of failures)
        expect(failure.status === 'rejected' && failure.reason).toBeInstanceOf(SourceError);
      await world.setReachable(true);
      expect(await paths()).toHaveLength(5);
    });

    it('stops when the signal is aborted', async () => {
      await world.write('a.txt', 'one');
      const source = await open();
      const signal = AbortSignal.abort(new Error('enough'));
      const listing = async (): Promise<void> => {
        for await (const _ of source.inventory(null, signal));
      };
      await expect(listing()).rejects.toThrow('enough');
    });

    it(`lists ${many} documents once each`, async () => {
      for (let n = 0; n < many; n += 1) await world.write(`${n % 100}/${n}.txt`, String(n));
      const ids = (await listAll(await open())).map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([many, many]);
    }, 300_000);
  });
}
