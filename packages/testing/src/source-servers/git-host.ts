import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** A bare repository behind `git http-backend`, on loopback. */
export class GitHost {
  readonly files = new Map<string, { content: string; mode?: string }>();
  /** Answers instead of git; null to let git answer. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  password: string | null = null;
  requests = 0;
  private isDirty = false;

  private constructor(
    readonly root: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(): Promise<GitHost> {
    const root = await mkdtemp(join(tmpdir(), 'git-host-'));
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(root, 'r.git')]);
    execFileSync('git', ['-C', join(root, 'r.git'), 'config', 'uploadpack.allowFilter', 'true']);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new GitHost(root, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/r.git`;
  }

  write(path: string, content: string, mode = '100644'): void {
    this.files.set(path, { content, mode });
    this.isDirty = true;
  }

  remove(path: string): void {
    this.files.delete(path);
    this.isDirty = true;
  }

  /** Replaces the branch by one commit without parents: each push is a forced one. */
  commit(branch = 'main'): void {
    if (!this.isDirty) return;
    this.isDirty = false;
    const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const files = [...this.files].map(([path, { content, mode }]) =>
      mode === '160000'
        ? `M 160000 ${content} ${JSON.stringify(path)}\n`
        : `M ${mode} inline ${JSON.stringify(path)}\n${data(content)}`,
    );
    const input = `reset refs/heads/${branch}\n\ncommit refs/heads/${branch}\ncommitter a <a@example.org> 1767225600 +0000\n${data('c')}deleteall\n${files.join('')}\n`;
    execFileSync('git', ['-C', join(this.root, 'r.git'), 'fast-import', '--quiet', '--force'], { input });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.root, { recursive: true, force: true });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests += 1;
    if (this.intercept(request, response)) return;
    const given = request.headers.authorization ?? '';
    if (this.password !== null && Buffer.from(given.slice(6), 'base64').toString() !== `git:${this.password}`)
      return void response.writeHead(401).end();
    this.commit();
    const { pathname, search } = new URL(request.url ?? '', 'http://host');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    backend.stdin.on('error', () => undefined);
    request.pipe(backend.stdin);
    void buffer(backend.stdout).then((output) => {
      const end = output.indexOf('\r\n\r\n');
      for (const line of output.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(output.subarray(end + 4));
    });
  }
}
