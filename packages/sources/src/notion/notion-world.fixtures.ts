import { type FakeBlock, type FakePage, NotionServer, richText } from '@citewell/testing/source-servers';
import type { SourceWorld } from '../source.conformance.js';
import { NotionSource } from './notion.source.js';

export const CONTEXT = { secrets: { token: 'secret-token' }, allowPrivateNetworks: ['127.0.0.0/8'] };

export function paragraph(text: string): FakeBlock {
  return { type: 'paragraph', content: { rich_text: richText(text) } };
}

/** Pages in databases, which may be in other ones. */
export async function makeWorld(): Promise<SourceWorld> {
  const server = await NotionServer.start();
  const pages = new Map<string, FakePage>();
  const tables = new Map<string, string>();
  const placeOf = (path: string): Pick<FakePage, 'title' | 'parent'> => {
    const names = path.split('/');
    let parent: FakePage['parent'] = { type: 'workspace', workspace: true };
    for (let depth = 1; depth < names.length; depth += 1) {
      const key = names.slice(0, depth).join('/');
      const known =
        tables.get(key) ?? server.add({ title: names[depth - 1] ?? '', parent, isTable: true }).id;
      tables.set(key, known);
      parent = { type: 'data_source_id', data_source_id: known };
    }
    return { title: names.at(-1) ?? '', parent };
  };
  const blocksOf = (text: string): FakeBlock[] => (text === '' ? [] : [paragraph(text)]);
  return {
    open: () => Promise.resolve(new NotionSource(CONTEXT, { base: server.origin, delayMs: 0 })),
    write: async (path, text) => {
      const known = pages.get(path);
      if (known === undefined) pages.set(path, server.add({ ...placeOf(path), blocks: blocksOf(text) }));
      else Object.assign(known, { blocks: blocksOf(text), edited: server.nextEdit() });
    },
    remove: async (path) => {
      server.pages.delete(pages.get(path)?.id ?? '');
      pages.delete(path);
    },
    rename: async (from, to) => {
      const page = pages.get(from) as FakePage;
      Object.assign(page, placeOf(to), { edited: server.nextEdit() });
      pages.delete(from);
      pages.set(to, page);
    },
    setReachable: async (isReachable) => void (isReachable ? await server.listen() : await server.stop()),
    stop: () => server.stop(),
  };
}

export const nameOf = (path: string): string => path.replace(/\.html$/, '');

/** The text that was written, of the HTML of a page. */
export function textOf(content: Buffer): string {
  const [, html = ''] = /<\/h1>\n([^]*)\n<\/article>/.exec(content.toString()) ?? [];
  return html
    .replace(/^<p>|<\/p>$/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
