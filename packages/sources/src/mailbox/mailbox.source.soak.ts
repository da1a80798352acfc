import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MailboxSourceConfig } from '@citewell/contracts/schemas';
import { ImapFlow } from 'imapflow';
import { sourceConformance, type SourceWorld } from '../source.conformance.js';
import type { InventoryPage, SourceDocument } from '../source.js';
import { type Dovecot, startDovecot, Wire } from '@citewell/testing/source-servers';
import { MailboxSource } from './mailbox.source.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const never = new AbortController().signal;
let dovecot: Dovecot;
let users = 0;

beforeAll(async () => {
  dovecot = await startDovecot();
});
afterAll(() => dovecot.stop());

function open(user: string, config: Partial<MailboxSourceConfig> = {}, secrets: Record<string, string> = {}) {
  return new MailboxSource(
    { kind: 'mailbox', host: '127.0.0.1', port: dovecot.port, security: 'none', user, ...config },
    { secrets: { password: 'secret', ...secrets }, allowPrivateNetworks: LOOPBACK },
  );
}

/** Another client of the mailbox, as people use. */
async function connectClient(user: string): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: dovecot.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: 'secret' },
    logger: false,
    disableAutoIdle: true,
  });
  await client.connect();
  return client;
}

function message(fields: Record<string, string>, body = ''): string {
  const encode = (text: string): string =>
    /^[ -~]*$/.test(text) && !/ {2}/.test(text)
      ? text
      : [...text.normalize().matchAll(/.{1,8}/gsu)]
          .map(([part]) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
          .join('\r\n ');
  const headers = {
    'MIME-Version': '1.0',
    Date: 'Mon, 2 Mar 2026 10:00:00 +0000',
    From: 'ada@example.org',
    ...fields,
  };
  return `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${name.startsWith('Content') ? value : encode(value)}\r\n`)
    .join('')}\r\n${body}`;
}

async function makeWorld(): Promise<SourceWorld> {
  const user = `user${(users += 1)}`;
  const wire = await Wire.to(dovecot.port);
  const client = await connectClient(user);
  const written = new Map<string, { folder: string; uid: number; content: string }>();
  let count = 0;
  const created = new Set(['INBOX']);
  const remove = async (path: string): Promise<void> => {
    const { folder, uid } = written.get(path) ?? { folder: '', uid: 0 };
    await client.mailboxOpen(folder);
    await client.messageDelete(String(uid), { uid: true });
    await client.mailboxClose();
    written.delete(path);
  };
  const write = async (path: string, content: string): Promise<void> => {
    if (written.has(path)) await remove(path);
    const [name = '', ...parents] = path.split('/').toReversed();
    const folder = parents.toReversed().join('/') || 'INBOX';
    if (!created.has(folder)) await client.mailboxCreate(folder);
    created.add(folder);
    const body = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
    const fields = {
      'Message-ID': `<${(count += 1)}@example.org>`,
      Subject: name,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': 'base64',
    };
    const appended = await client.append(folder, message(fields, body));
    written.set(path, { folder, uid: (appended && appended.uid) || 0, content });
  };
  return {
    open: async () => open(user, { port: wire.port }),
    write,
    remove,
    rename: async (from, to) => {
      const { content = '' } = written.get(from) ?? {};
      await remove(from);
      await write(to, content);
    },
    setReachable: async (isReachable) => wire.setCut(!isReachable),
    stop: async () => {
      client.close();
      wire.stop();
    },
  };
}

sourceConformance('mailbox', makeWorld, {
  many: 5_000,
  nameOf: (path) => path.replace(/^INBOX\//, '').replace(/(?:\d{4}-\d\d-\d\d )([^/]*) [\w-]{8}\.eml$/, '$1'),
  textOf: (content) => Buffer.from(content.toString().split('\r\n\r\n')[1] ?? '', 'base64').toString(),
});

describe('a mailbox', () => {
  let user: string;
  let client: ImapFlow;
  beforeEach(async () => {
    user = `user${(users += 1)}`;
    client = await connectClient(user);
  });
  afterEach(() => client.close());

  async function pagesOf(source: MailboxSource, cursor: string | null = null): Promise<InventoryPage[]> {
    const pages = [];
    for await (const page of source.inventory(cursor, never)) pages.push(page);
    return pages;
  }
  async function list(config: Partial<MailboxSourceConfig> = {}): Promise<SourceDocument[]> {
    const source = open(user, config);
    const pages = await pagesOf(source);
    await source.close();
    return pages.flatMap(({ documents }) => documents);
  }
  const read = async (source: MailboxSource, document: SourceDocument): Promise<Buffer> => {
    const { content } = await source.fetch(document, never);
    return buffer(content);
  };
  const pathsOf = (documents: SourceDocument[]): string[] =>
    documents.map(({ path }) => path.replace(/ [\w-]{8}(?=\.eml$|\/)/, ''));

  it('has folders by their names, with messages by day and subject', async () => {
    await client.mailboxCreate('Projekte/Größe & Maß/日本');
    await client.append('Projekte/Größe & Maß/日本', message({ Subject: 'Re: A/B\ttest ✓' }));
    await client.append('INBOX', message({ Subject: '' }));
    await client.append('INBOX', message({ Subject: '..', Date: 'no date' }), [], '2026-01-05T00:00:00Z');
    expect(pathsOf(await list())).toEqual([
      'INBOX/2026-03-02.eml',
      'INBOX/2026-01-05 _.eml',
      'Projekte/Größe & Maß/日本/2026-03-02 Re: A B test ✓.eml',
    ]);
  });

  it('leaves folders of spam, trash and drafts out unless they are chosen, and messages that are marked as deleted', async () => {
    await client.append('Trash', message({ Subject: 'trash' }));
    await client.append('INBOX', message({ Subject: 'kept' }));
    await client.append('INBOX', message({ Subject: 'deleted' }), ['\\Deleted']);
    expect(pathsOf(await list())).toEqual(['INBOX/2026-03-02 kept.eml']);
    expect(pathsOf(await list({ folders: ['Trash'] }))).toEqual(['Trash/2026-03-02 trash.eml']);
    await expect(list({ folders: ['Archive'] })).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('Archive'),
    });
  });

  it('has messages since a day', async () => {
    await client.append('INBOX', message({ Subject: 'old' }), [], '2025-12-31T12:00:00Z');
    await client.append('INBOX', message({ Subject: 'new' }), [], '2026-01-01T12:00:00Z');
    expect(pathsOf(await list({ since: '2026-01-01' }))).toEqual(['INBOX/2026-03-02 new.eml']);
  });

  it('has messages with one Message-ID apart, and the same message once', async () => {
    const fields = { 'Message-ID': '<1@example.org>', Subject: 'Minutes' };
    for (const body of ['one', 'one', 'another']) await client.append('INBOX', message(fields, body));
    const documents = await list();
    expect(new Set(documents.map(({ id }) => id)).size).toBe(2);
    expect(new Set(documents.map(({ path }) => path)).size).toBe(2);
    expect(documents).toHaveLength(2);
  });

  it('keeps ids and versions when messages are read, and when the server numbers them anew', async () => {
    const messages = [1, 2, 3].map((n) =>
      message({ 'Message-ID': `<${n}@example.org>`, Subject: `Number ${n}` }),
    );
    await client.mailboxCreate('Team');
    for (const text of messages) await client.append('Team', text);
    const before = await list();
    await client.mailboxOpen('Team');
    await client.messageFlagsAdd('1:*', ['\\Seen', '\\Flagged', 'Work']);
    await client.mailboxClose();
    expect(await list()).toEqual(before);
    const source = open(user);
    await pagesOf(source);
    const { uidValidity } = await client.mailboxOpen('Team');
    await client.mailboxClose();
    await client.mailboxDelete('Team');
    await client.mailboxCreate('Team');
    for (const text of messages.toReversed()) await client.append('Team', text);
    expect((await client.mailboxOpen('Team')).uidValidity).not.toBe(uidValidity);
    const byPath = (documents: SourceDocument[]) =>
      documents.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    expect(byPath(await list())).toEqual(byPath(before));
    // Also a source that knows the former numbers reads the right message.
    for (const document of before)
      expect((await read(source, document)).toString()).toContain(
        /Number \d/.exec(document.path)?.[0] ?? '-',
      );
    await source.close();
  });

  it('goes on from the beginning of a folder whose messages were numbered anew', async () => {
    for (const subject of ['a', 'b']) await client.append('INBOX', message({ Subject: subject }));
    const cursor = JSON.stringify({ folder: 'INBOX', uidValidity: '1', uid: 2 });
    const source = open(user);
    expect((await pagesOf(source, cursor))[0]?.documents).toHaveLength(2);
    await source.close();
  });

  it('has attachments that are files as documents below their message', async () => {
    const pdf = Buffer.from('%PDF-1.7 \u0000\u00FF', 'latin1');
    const part = (headers: string, body: string): string => `--x\r\n${headers}\r\n\r\n${body}\r\n`;
    const encoded = `Content-Transfer-Encoding: base64\r\n`;
    await client.append(
      'INBOX',
      message(
        { Subject: 'Offer', 'Content-Type': 'multipart/mixed; boundary=x' },
        [
          part('Content-Type: text/plain', 'see attachments'),
          part(
            `${encoded}Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename*=UTF-8''Angebot%20%C3%BC.pdf`,
            pdf.toString('base64'),
          ),
          part(
            'Content-Type: text/csv\r\nContent-Disposition: attachment; filename="read-with-the-message.csv"',
            'a,b',
          ),
          part(`${encoded}Content-Type: application/pkcs7-signature; name="smime.p7s"`, 'AAAA'),
          part(`${encoded}Content-Type: image/png; name="=?UTF-8?Q?Stra=C3=9Fe/1.png?="`, 'AAAA'),
          '--x--\r\n',
        ].join(''),
      ),
    );
    await client.append(
      'INBOX',
      message(
        {
          Subject: 'Scan',
          'Content-Type': 'application/pdf; name="scan.pdf"',
          'Content-Transfer-Encoding': 'base64',
        },
        pdf.toString('base64'),
      ),
    );
    const documents = await list();
    expect(pathsOf(documents)).toEqual([
      'INBOX/2026-03-02 Offer.eml',
      'INBOX/2026-03-02 Offer/2 Angebot ü.pdf',
      'INBOX/2026-03-02 Offer/5 Straße 1.png',
      'INBOX/2026-03-02 Scan.eml',
      'INBOX/2026-03-02 Scan/1 scan.pdf',
    ]);
    const source = open(user);
    for (const document of documents.filter(({ path }) => path.endsWith('.pdf')))
      expect(await read(source, document)).toEqual(pdf);
    await source.close();
  });

  it.each([
    ['empty', '\r\n'],
    ['no message', 'hello'],
    ['a header without an end', 'Subject: cut'],
    ['bytes of no encoding', Buffer.from([0x53, 0xff, 0xfe, 0x0d, 0x0a, 0x80, 0xc3])],
    ['parts without a boundary', 'Content-Type: multipart/mixed\r\n\r\nx'],
    [
      'parts in a circle',
      `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n'.repeat(200)}`,
    ],
    ['a long subject', `Subject: ${'long '.repeat(10_000)}\r\n\r\n`],
    ['a wrong encoded word', 'Subject: =?UTF-8?B?\u0000///?= =?none?Q?x?=\r\n\r\n'.replace('\u0000', '%')],
  ])('lists and reads a broken message: %s', async (_what, source) => {
    await client.append('INBOX', source);
    await client.append('INBOX', message({ Subject: 'good' }));
    const documents = await list();
    expect(documents.length).toBe(2);
    const opened = open(user);
    for (const document of documents) {
      expect(document.path.length).toBeLessThan(300);
      expect(await read(opened, document)).toBeInstanceOf(Buffer);
    }
    await opened.close();
  });

  it('reads a large attachment in parts, and goes on after one that nobody reads to its end', async () => {
    const size = 20_000_000;
    const body = Buffer.alloc(size, 'a').toString('base64').replace(/.{76}/g, '$&\r\n');
    await client.append(
      'INBOX',
      message(
        {
          Subject: 'Large',
          'Content-Type': 'application/pdf; name="l.pdf"',
          'Content-Transfer-Encoding': 'base64',
        },
        body,
      ),
    );
    const source = open(user);
    const [{ documents } = { documents: [] }] = await pagesOf(source);
    const file = documents.find(({ path }) => path.endsWith('l.pdf')) as SourceDocument;
    const { content } = await source.fetch(file, never);
    for await (const _ of content) break;
    expect((await read(source, file)).length).toBe(size);
    await source.close();
  });

  it('ends a read when its signal is aborted', async () => {
    await client.append('INBOX', message({ Subject: 'Large' }, 'a'.repeat(5_000_000)));
    const source = open(user);
    const [{ documents } = { documents: [] }] = await pagesOf(source);
    const controller = new AbortController();
    const { content } = await source.fetch(documents[0] as SourceDocument, controller.signal);
    const reading = buffer(content);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    await source.close();
  });

  it('fails when the connection is cut at any place', async () => {
    for (let n = 0; n < 600; n += 1) await client.append('INBOX', message({ Subject: `Number ${n}` }));
    const wire = await Wire.to(dovecot.port);
    for (const bytes of [0, 100, 1_000, 5_000, 50_000, 150_000]) {
      wire.maxBytes = bytes;
      const source = open(user, { port: wire.port });
      await expect(pagesOf(source)).rejects.toMatchObject({ name: 'SourceError', kind: 'unavailable' });
      await source.close();
    }
    wire.stop();
  });

  it('finds the documents of a folder that it has not listed', async () => {
    await client.append('INBOX', message({ Subject: 'One' }, 'first'));
    const [document] = await list();
    const source = open(user);
    expect((await read(source, document as SourceDocument)).toString()).toMatch(/first$/);
    for (const id of ['INBOX/AAAAAAAAAAAAAAAAAAAAAA', 'Nowhere/AAAAAAAAAAAAAAAAAAAAAA', 'nothing'])
      await expect(source.fetch({ id, path: 'x' }, never)).rejects.toMatchObject({ kind: 'gone' });
    await source.close();
  });

  it.each([
    ['a wrong password', {}, { password: 'wrong' }, 'denied', /refuses the name/],
    ['no password', {}, { password: '' }, 'denied', /missing/],
    ['a token at a server without OAuth', {}, { accessToken: 'token' }, 'denied', /access tokens/],
    ['a host that is not there', { host: 'nowhere.invalid' }, {}, 'denied', /no host/],
    ['a port that nobody listens at', { port: 1 }, {}, 'unavailable', /connection/],
    [
      'a certificate that nobody has signed',
      { host: 'localhost', security: 'tls' },
      {},
      'denied',
      /certificate/,
    ],
    [
      'a certificate that nobody has signed, after STARTTLS',
      { host: 'localhost', security: 'starttls' },
      {},
      'denied',
      /certificate/,
    ],
    ['TLS where there is none', { security: 'tls' }, {}, 'denied', /does not offer/],
  ] as const)('tells %s', async (_what, config, secrets, kind, text) => {
    const isTls = 'host' in config && 'security' in config && config.security === 'tls';
    const port = isTls ? dovecot.tlsPort : dovecot.port;
    const source = open(user, { port, ...config }, secrets);
    await expect(source.check(never)).rejects.toMatchObject({ kind, message: expect.stringMatching(text) });
  });

  it('signs in over TLS and STARTTLS with a certificate that the server trusts', async () => {
    const authorities = getCACertificates();
    setDefaultCACertificates([...authorities, dovecot.certificate]);
    for (const security of ['tls', 'starttls'] as const) {
      const source = open(user, {
        host: 'localhost',
        security,
        port: security === 'tls' ? dovecot.tlsPort : dovecot.port,
      });
      expect(await source.check(never)).toBe('The mailbox has 0 messages in 1 folder.');
      await source.close();
    }
    setDefaultCACertificates(authorities);
  });

  it.each([
    ['127.0.0.1', [], 'none'],
    ['localhost', ['10.0.0.0/8'], 'tls'],
    ['8.8.8.8', LOOPBACK, 'none'],
  ] as const)(
    'does not connect to %s with %j allowed and security %s',
    async (host, allowPrivateNetworks, security) => {
      const source = new MailboxSource(
        { kind: 'mailbox', host, port: dovecot.port, security, user },
        { secrets: { password: 'secret' }, allowPrivateNetworks },
      );
      await expect(source.check(never)).rejects.toMatchObject({ kind: 'denied' });
    },
  );

  it.each([
    ['LOGIN', 'NO [LIMIT] Too many connections'],
    ['LIST', 'NO [INUSE] Try later'],
    ['LIST', 'BAD Request is throttled. Suggested Backoff Time: 10 milliseconds'],
  ])('tells that the server asks to wait at %s: %s', async (command, response) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
      socket.on('data', (data) => {
        for (const [, tag, name] of data.toString().matchAll(/^(\S+) (\S+)/gm))
          socket.write(`${tag} ${name === command ? response : 'OK done'}\r\n`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const source = open(user, { port: (server.address() as AddressInfo).port });
    await expect(source.check(never)).rejects.toMatchObject({ kind: 'limited' });
    await source.close();
    server.close();
  });
});
