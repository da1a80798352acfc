import { LoopbackService, partOf, type ServiceAnswer, type ServiceRequest } from './loopback-server.js';

export interface FakeReaders {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

export interface FakeContent {
  readonly id: string;
  type: 'page' | 'blogpost' | 'folder' | 'attachment';
  space: string;
  title: string;
  parentId: string | null;
  status: string;
  version: number;
  /** Storage format; of an attachment its bytes. */
  content: string;
  readers?: FakeReaders;
  /** Whether answers leave out its parent. */
  hidesParent?: boolean;
}

const NOT_FOUND: ServiceAnswer = { status: 404, body: { message: 'not found' } };
/** Cloud has this prefix for scoped tokens. Its links do not. */
const GATEWAY = '/ex/confluence/c1';
const DATE = '2026-01-05T10:00:00.000Z';

/**
 * Confluence on loopback: the part of the REST API that sources read, as the public descriptions have it. Cloud with v2 and
 * v1 below `/wiki`, Data Center with v1 below a context path.
 */
export class ConfluenceServer extends LoopbackService {
  readonly contents = new Map<string, FakeContent>();
  /** By key. Readers that are null are not told. */
  readonly spaces = new Map<string, { id: string; readers: FakeReaders | null }>();
  readonly groups = new Map<string, readonly string[]>();
  /** By account id or user name. */
  readonly users = new Map<string, { email: string; name: string }>();
  /** The header that requests have to have. */
  authorization: string | null = null;
  /** Whether the search, which has the restrictions of many pages in Cloud, answers. */
  hasSearch = true;
  private lastId = 1_000;

  private constructor(readonly isCloud: boolean) {
    super();
  }

  static start({ isCloud }: { isCloud: boolean }): Promise<ConfluenceServer> {
    return new ConfluenceServer(isCloud).listen();
  }

  get context(): string {
    return this.isCloud ? '/wiki' : '/confluence';
  }

  get url(): string {
    return this.origin + this.context;
  }

  get gatewayUrl(): string {
    return this.origin + GATEWAY;
  }

  add(content: Partial<FakeContent> & Pick<FakeContent, 'title'>): FakeContent {
    const [space = ''] = this.spaces.keys();
    this.lastId += 1;
    const added: FakeContent = {
      id: String(this.lastId),
      type: 'page',
      space,
      parentId: null,
      status: 'current',
      version: 1,
      content: '',
      ...content,
    };
    this.contents.set(added.id, added);
    return added;
  }

  protected answer({ url, headers }: ServiceRequest): ServiceAnswer {
    const isForeign = headers.host?.startsWith('localhost') ?? false;
    if (this.authorization !== null && !isForeign && headers.authorization !== this.authorization)
      return { status: 401, body: { message: 'Unauthorized' } };
    if (this.isCloud && url.pathname.startsWith(`${GATEWAY}/`))
      url.pathname = url.pathname.slice(GATEWAY.length);
    const path = decodeURIComponent(url.pathname);
    const [, file] = /\/files\/(\w+)$/.exec(path) ?? [];
    if (file !== undefined) return this.fileAt(file, headers.authorization);
    if (!path.startsWith(`${this.context}/`)) return NOT_FOUND;
    const own = path.slice(this.context.length);
    return (this.isCloud ? this.cloud(own, url) : null) ?? this.common(own, url) ?? NOT_FOUND;
  }

  private cloud(path: string, url: URL): ServiceAnswer | null {
    if (path === '/api/v2/spaces')
      return this.list(
        url,
        [...this.spaces].map(([key, { id }]) => ({ id, key, status: 'current' })),
      );
    const [, spaceId, listed] = /^\/api\/v2\/spaces\/(\d+)\/(pages|blogposts|permissions)$/.exec(path) ?? [];
    if (spaceId !== undefined) {
      const [key = '', space] = [...this.spaces].find(([, { id }]) => id === spaceId) ?? [];
      if (listed !== 'permissions') {
        const type = listed === 'pages' ? 'page' : 'blogpost';
        return this.list(
          url,
          this.of(key, type).map((one) => this.cloudContent(one)),
        );
      }
      if (!space?.readers) return { status: 403 };
      const { users = [], groups = [] } = space.readers;
      const named = [...users.map((id) => ['user', id]), ...groups.map((id) => ['group', id])];
      return this.list(
        url,
        ['read', 'delete'].flatMap((key_) =>
          named.map(([type, id]) => ({
            principal: { type, id },
            operation: { key: key_, targetType: 'space' },
          })),
        ),
      );
    }
    const [, kind, id = ''] = /^\/api\/v2\/(page|blogpost|folder|attachment)s\/(\w+)$/.exec(path) ?? [];
    const found = this.contents.get(id);
    if (kind === undefined) return null;
    if (found?.type !== kind) return NOT_FOUND;
    return { body: this.cloudContent(found, url.searchParams.get('body-format') === 'storage') };
  }

  private common(path: string, url: URL): ServiceAnswer | null {
    const { searchParams } = url;
    if (path === '/rest/api/space')
      return this.list(
        url,
        [...this.spaces].map(([key, { id }]) => ({ id: Number(id), key, status: 'current' })),
      );
    if (path === '/rest/api/content' && !this.isCloud) {
      const found = this.of(searchParams.get('spaceKey') ?? '', searchParams.get('type') ?? '');
      return this.list(
        url,
        found.map((one) => this.content(one, searchParams.get('expand') ?? '')),
      );
    }
    if (path === '/rest/api/content/search') {
      if (!this.hasSearch) return NOT_FOUND;
      const [, type = '', key = ''] =
        /^type (?:=|in) (.*) and space = "(.*)"$/.exec(searchParams.get('cql') ?? '') ?? [];
      const found = [...type.matchAll(/\w+/g)].flatMap(([one]) => this.of(key, one));
      return this.list(
        url,
        found.map((one) => this.content(one, searchParams.get('expand') ?? '')),
      );
    }
    const [, id = '', rest = ''] = /^\/rest\/api\/content\/(\w+)(\/.*)?$/.exec(path) ?? [];
    const one = this.contents.get(id);
    if (id !== '' && one === undefined) return NOT_FOUND;
    if (one !== undefined && rest === '' && !this.isCloud)
      return { body: this.content(one, searchParams.get('expand') ?? '') };
    if (one !== undefined && rest === '/restriction/byOperation/read') return { body: this.readers(one) };
    const [, attachment = ''] = /^\/child\/attachment\/(\w+)\/download$/.exec(rest) ?? [];
    if (attachment !== '')
      return { status: 302, headers: { location: `${this.filesOrigin}/files/${attachment}` } };
    return this.people(path, url);
  }

  /** Files of Cloud are on another host. */
  private get filesOrigin(): string {
    return this.origin.replace('127.0.0.1', 'localhost');
  }

  private fileAt(id: string, authorization: string | undefined): ServiceAnswer {
    const isForeign = this.isCloud && authorization !== undefined;
    return isForeign
      ? { status: 400, body: 'credentials' }
      : { body: Buffer.from(this.contents.get(id)?.content ?? '') };
  }

  private people(path: string, url: URL): ServiceAnswer | null {
    const [, key = ''] = /^\/rest\/api\/space\/([^/]+)\/permissions$/.exec(path) ?? [];
    if (key !== '') {
      const readers = this.spaces.get(key)?.readers;
      if (!readers) return NOT_FOUND;
      const operation = { targetType: 'space', operationKey: 'read' };
      return this.list(url, [
        ...(readers.groups ?? []).map((name) => ({ operation, subject: { type: 'group', name } })),
        ...(readers.users ?? []).map((user) => ({
          operation,
          subject: { type: 'user', userKey: `k-${user}` },
        })),
      ]);
    }
    const [, group, list] = /^\/rest\/api\/group\/([^/]+)\/(membersByGroupId|member)$/.exec(path) ?? [];
    if (group !== undefined) {
      if ((list === 'membersByGroupId') !== this.isCloud || !this.groups.has(group)) return NOT_FOUND;
      return this.list(
        url,
        (this.groups.get(group) ?? []).map((user) => this.user(user)),
      );
    }
    if (path === '/rest/api/user') {
      const { searchParams } = url;
      const id =
        searchParams.get('accountId') ??
        searchParams.get('username') ??
        searchParams.get('key')?.slice(2) ??
        '';
      return this.users.has(id) ? { body: this.user(id) } : NOT_FOUND;
    }
    const [, name = ''] = /^\/rest\/mobile\/1\.0\/profile\/(.+)$/.exec(path) ?? [];
    const user = this.isCloud ? undefined : this.users.get(name);
    return user === undefined ? null : { body: { userName: name, email: user.email, fullName: user.name } };
  }

  private of(key: string, type: string): FakeContent[] {
    return [...this.contents.values()].filter(
      (one) => one.space === key && one.type === type && one.status === 'current',
    );
  }

  private cloudContent(one: FakeContent, hasBody = false): object {
    const parent = this.contents.get(one.parentId ?? '');
    return {
      id: one.id,
      title: one.title,
      status: one.status,
      ...(!one.hidesParent &&
        one.type !== 'blogpost' && { parentId: one.parentId, parentType: parent?.type ?? 'page' }),
      ...(one.type === 'attachment' && { pageId: one.parentId, fileSize: Buffer.byteLength(one.content) }),
      version: { number: one.version, createdAt: DATE },
      ...(hasBody && { body: { storage: { value: one.content, representation: 'storage' } } }),
      _links: { base: this.url, webui: `/spaces/${one.space}/pages/${one.id}` },
    };
  }

  private content(one: FakeContent, expand: string): object {
    const ancestors: { id: string }[] = [];
    const seen = new Set<string>();
    for (let at = one.parentId; at !== null && !seen.has(at); at = this.contents.get(at)?.parentId ?? null) {
      seen.add(at);
      ancestors.unshift({ id: at });
    }
    return {
      id: one.id,
      type: one.type,
      title: one.title,
      status: one.status,
      ...(expand.includes('ancestors') && !one.hidesParent && { ancestors }),
      ...(expand.includes('restrictions') && { restrictions: { read: this.readers(one) } }),
      ...(expand.includes('version') && { version: { number: one.version, when: DATE } }),
      ...(expand.includes('container') && { container: { id: one.parentId, type: 'page' } }),
      ...(expand.includes('body.storage') && { body: { storage: { value: one.content } } }),
      ...(one.type === 'attachment' && {
        extensions: { mediaType: 'text/plain', fileSize: Buffer.byteLength(one.content) },
      }),
      _links: { webui: `/pages/viewpage.action?pageId=${one.id}`, download: `/files/${one.id}` },
    };
  }

  private readers({ readers: { users = [], groups = [] } = {} }: FakeContent): object {
    return {
      operation: 'read',
      restrictions: {
        user: { results: users.map((id) => this.user(id)), size: users.length },
        group: { results: groups.map((name) => ({ type: 'group', name, id: name })), size: groups.length },
      },
    };
  }

  private user(id: string): object {
    const { email, name } = this.users.get(id) ?? { email: '', name: id };
    return this.isCloud
      ? { type: 'known', accountId: id, email, displayName: name }
      : { type: 'known', username: id, userKey: `k-${id}`, displayName: name };
  }

  /** A part of a list. v2 of Cloud links the next part from the host, v1 from the context path. */
  private list(url: URL, all: readonly object[]): ServiceAnswer {
    const { searchParams } = url;
    const start = Number(searchParams.get('cursor') ?? searchParams.get('start') ?? 0);
    const { entries, next } = partOf(all, start, Number(searchParams.get('limit') ?? 25));
    if (next !== null) searchParams.set(this.isCloud ? 'cursor' : 'start', String(next));
    const path = url.pathname.includes('/api/v2/') ? url.pathname : url.pathname.slice(this.context.length);
    const links = next === null ? {} : { next: `${path}?${searchParams.toString()}` };
    return { body: { results: entries, _links: { base: this.url, ...links } } };
  }
}
