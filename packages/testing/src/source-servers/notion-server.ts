import { LoopbackService, partOf, type ServiceAnswer, type ServiceRequest } from './loopback-server.js';

export interface FakeBlock {
  readonly id?: string;
  readonly type: string;
  readonly content?: object;
  readonly children?: readonly FakeBlock[];
}

export interface FakePage {
  readonly id: string;
  title: string;
  parent: { type: string } & Record<string, unknown>;
  properties: Record<string, object>;
  blocks: FakeBlock[];
  edited: Date;
  inTrash: boolean;
  /** Whether it is the table of a database, whose rows are pages. */
  isTable: boolean;
}

const NOT_FOUND: ServiceAnswer = {
  status: 404,
  body: { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find it.' },
};

export function richText(text: string): object[] {
  // No part of a text is longer than this.
  const parts = text.match(/[^]{1,2000}/g) ?? [];
  return parts.map((part) => ({ type: 'text', plain_text: part, href: null, annotations: { code: false } }));
}

/** The API of Notion on loopback, version 2025-09-03, as its public reference has it: search, pages, and blocks. */
export class NotionServer extends LoopbackService {
  readonly pages = new Map<string, FakePage>();
  token: string | null = null;
  private lastId = 0;

  static start(): Promise<NotionServer> {
    return new NotionServer().listen();
  }

  add(page: Partial<FakePage> & Pick<FakePage, 'title'>): FakePage {
    this.lastId += 1;
    const added: FakePage = {
      id: `00000000-0000-4000-8000-${String(this.lastId).padStart(12, '0')}`,
      parent: { type: 'workspace', workspace: true },
      properties: {},
      blocks: [],
      edited: this.nextEdit(),
      inTrash: false,
      isTable: false,
      ...page,
    };
    this.pages.set(added.id, added);
    return added;
  }

  /** A minute that is later than all edits before it, and not near to now. */
  nextEdit(): Date {
    this.lastId += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.lastId * 60_000);
  }

  protected answer({ url, headers, body }: ServiceRequest): ServiceAnswer {
    if (this.token !== null && headers.authorization !== `Bearer ${this.token}`)
      return { status: 401, body: { object: 'error', status: 401, code: 'unauthorized' } };
    if (headers['notion-version'] !== '2025-09-03') return { status: 400, body: { code: 'missing_version' } };
    const path = url.pathname;
    if (path === '/v1/users/me')
      return { body: { object: 'user', type: 'bot', name: 'Reader', bot: { workspace_name: 'Harbour' } } };
    if (path === '/v1/search') return this.search(body as { page_size: number; start_cursor?: string });
    const [, pageId = ''] = /^\/v1\/pages\/([\w-]+)$/.exec(path) ?? [];
    const page = this.pages.get(pageId);
    if (pageId !== '') return page === undefined || page.isTable ? NOT_FOUND : { body: pageObject(page) };
    const [, blockId = '', children] = /^\/v1\/blocks\/([\w-]+)(\/children)?$/.exec(path) ?? [];
    if (children === undefined) return NOT_FOUND;
    const blocks = this.pages.get(blockId)?.blocks ?? this.blockAt(blockId)?.children;
    if (blocks === undefined) return NOT_FOUND;
    const { searchParams } = url;
    return this.list(
      blocks.map(blockObject),
      Number(searchParams.get('page_size')),
      searchParams.get('start_cursor'),
    );
  }

  private search({
    page_size: size,
    start_cursor: cursor,
  }: {
    page_size: number;
    start_cursor?: string;
  }): ServiceAnswer {
    const found = [...this.pages.values()].toSorted(
      (one, other) => one.edited.getTime() - other.edited.getTime(),
    );
    return this.list(
      found.map((page) => (page.isTable ? tableObject(page) : pageObject(page))),
      size,
      cursor,
    );
  }

  private list(all: readonly object[], size: number, cursor: string | null | undefined): ServiceAnswer {
    const { entries, next } = partOf(all, Number(cursor ?? 0), Math.min(size, 100));
    return {
      body: {
        object: 'list',
        results: entries,
        has_more: next !== null,
        next_cursor: next === null ? null : String(next),
      },
    };
  }

  private blockAt(id: string): FakeBlock | undefined {
    const open = [...this.pages.values()].flatMap(({ blocks }) => blocks);
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      if (block.id === id) return block;
      open.push(...(block.children ?? []));
    }
    return undefined;
  }
}

function pageObject({ id, title, parent, properties, edited, inTrash }: FakePage): object {
  return {
    object: 'page',
    id,
    parent,
    in_trash: inTrash,
    archived: inTrash,
    last_edited_time: edited.toISOString(),
    properties: { Name: { id: 'title', type: 'title', title: richText(title) }, ...properties },
    url: `https://www.notion.so/${id.replaceAll('-', '')}`,
  };
}

function tableObject({ id, title, parent, inTrash }: FakePage): object {
  return {
    object: 'data_source',
    id,
    title: richText(title),
    parent: { type: 'database_id', database_id: `d${id.slice(1)}` },
    database_parent: parent,
    in_trash: inTrash,
  };
}

function blockObject({ id, type, content = {}, children }: FakeBlock): object {
  return {
    object: 'block',
    id: id ?? `b-${type}`,
    type,
    has_children: children !== undefined,
    [type]: content,
  };
}
