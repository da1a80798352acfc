import { ConfluenceServer, type FakeContent } from '@citewell/testing/source-servers';
import { escapeHtml } from '../html-page.js';
import type { SourceWorld } from '../source.conformance.js';
import { ConfluenceSource } from './confluence.source.js';

export const CONTEXT = {
  secrets: { token: 'secret-token' },
  allowPrivateNetworks: ['127.0.0.0/8', '::1/128'],
};
const ARTICLE = /<\/h1>\n<p>([^]*)<\/p>\n<\/article>/;

/** The name that was written, of the path of a page. */
export function nameOf(path: string): string {
  return path.slice('DOCS/'.length).replace(/\.html$/, '');
}

/** The text that was written, of the HTML of a page. */
export function textOf(content: Buffer): string {
  return (ARTICLE.exec(content.toString())?.[1] ?? content.toString())
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Pages in folders: of Cloud, or of a Data Center, where archived pages take their place. */
export async function makeWorld(isCloud: boolean): Promise<SourceWorld> {
  const server = await ConfluenceServer.start({ isCloud });
  server.spaces.set('DOCS', { id: '7', readers: { groups: ['crew'] } });
  server.groups.set('crew', []);
  const pages = new Map<string, FakeContent>();
  const folders = new Map<string, string>();
  const holder = isCloud ? ({ type: 'folder' } as const) : { status: 'archived' };
  const placeOf = (path: string): { title: string; parentId: string | null } => {
    const names = path.split('/');
    let parentId: string | null = null;
    for (let depth = 1; depth < names.length; depth += 1) {
      const key = names.slice(0, depth).join('/');
      const known: string =
        folders.get(key) ?? server.add({ title: names[depth - 1] ?? '', parentId, ...holder }).id;
      folders.set(key, known);
      parentId = known;
    }
    return { title: names.at(-1) ?? '', parentId };
  };
  return {
    open: () => Promise.resolve(new ConfluenceSource({ kind: 'confluence', url: server.url }, CONTEXT)),
    write: async (path, text) => {
      const content = `<p>${escapeHtml(text)}</p>`;
      const known = pages.get(path);
      if (known === undefined) pages.set(path, server.add({ ...placeOf(path), content }));
      else Object.assign(known, { content, version: known.version + 1 });
    },
    remove: async (path) => {
      server.contents.delete(pages.get(path)?.id ?? '');
      pages.delete(path);
    },
    rename: async (from, to) => {
      const page = pages.get(from) as FakeContent;
      Object.assign(page, placeOf(to), { version: page.version + 1 });
      pages.delete(from);
      pages.set(to, page);
    },
    setReachable: async (isReachable) => void (isReachable ? await server.listen() : await server.stop()),
    stop: () => server.stop(),
  };
}
