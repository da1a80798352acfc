import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { endWithParent } from '@citewell/observability/child-processes';
import { z } from 'zod';
import { sourceScratch } from '../source-scratch.js';
import { SourceError } from '../source.js';
import { rcloneProblem } from './rclone-version.js';

const START_TIMEOUT_MS = 30_000;
const LISTENING = /Serving remote control on (http:\/\/127\.0\.0\.1:\d+\/)/;
/** The answer for a folder of some 200,000 entries. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const STDERR_TAIL_CHARACTERS = 4_000;
const ERROR = z.object({ error: z.string() });
const VERSION = z.object({ decomposed: z.array(z.number()) });

/** An error that rclone reports. The text may contain secrets. */
export class RcloneError extends Error {
  override readonly name = 'RcloneError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A process of rclone that is controlled by HTTP on the loopback interface (https://rclone.org/rc/), with random
 * credentials. It has no configuration file: remotes are in its memory. Its environment is empty, and its home is an empty
 * folder, so that it finds no credentials of the server.
 */
export class Rclone {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly authorization: string;
  private url = '';
  private stderrTail = '';

  /**
   * @param path path or name of the program
   * @param proxy URL of the proxy through which all HTTP goes, loopback included
   * @throws SourceError `denied` if the program is not there or too old
   */
  static async start(path: string, proxy: string): Promise<Rclone> {
    const home = await sourceScratch();
    const password = randomBytes(24).toString('base64url');
    const rclone = new Rclone(startProcess(path, proxy, home, password), home, password);
    try {
      rclone.url = await rclone.listening(path);
      await rclone.requireVersion(path);
      return rclone;
    } catch (error) {
      await rclone.close();
      throw error;
    }
  }

  private constructor(
    private readonly child: ChildProcess,
    private readonly home: string,
    password: string,
  ) {
    this.authorization = `Basic ${Buffer.from(`citewell:${password}`).toString('base64')}`;
    endWithParent(child, 'KILL');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderrTail = (this.stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    });
  }

  /**
   * Calls a command, such as `operations/list`.
   *
   * @throws RcloneError, SourceError, or the reason of `signal`
   */
  async call<T>(command: string, input: object, answer: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const response = await this.send('POST', command, JSON.stringify(input), signal);
    const text = await bodyOf(response, signal);
    if (response.statusCode === 200) return answer.parse(JSON.parse(text));
    throw errorOf(response, text);
  }

  /**
   * Opens a file.
   *
   * @param remote as `name:path`, without `]`
   * @throws RcloneError, SourceError, or the reason of `signal`
   */
  async open(remote: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const names = path.split('/').map(encodeURIComponent);
    const response = await this.send(
      'GET',
      `[${encodeURIComponent(remote)}]/${names.join('/')}`,
      null,
      signal,
    );
    if (response.statusCode === 200) return response;
    throw errorOf(response, await bodyOf(response, signal));
  }

  async close(): Promise<void> {
    this.agent.destroy();
    if (this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    await rm(this.home, { recursive: true, force: true });
  }

  private send(
    method: string,
    path: string,
    body: string | null,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const { agent, authorization } = this;
      const headers = { authorization, ...(body === null ? {} : { 'content-type': 'application/json' }) };
      request(this.url + path, { agent, method, headers, ...(signal ? { signal } : {}) })
        .on('response', resolve)
        .on('error', (error) => reject(signal?.aborted ? signal.reason : ended(error)))
        .end(body);
    });
  }

  /** The address at which the process listens. */
  private async listening(path: string): Promise<string> {
    const { child } = this;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(notStarted(path, 'it did not start in time')), START_TIMEOUT_MS);
    child.once('error', (error) => reject(notStarted(path, error.message)));
    child.once('exit', () => reject(notStarted(path, this.stderrTail.trim().split('\n').at(-1) ?? '')));
    child.stderr?.on('data', () => {
      const address = LISTENING.exec(this.stderrTail)?.[1];
      if (address !== undefined) resolve(address);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  private async requireVersion(path: string): Promise<void> {
    const { decomposed } = await this.call('core/version', {}, VERSION);
    const problem = rcloneProblem(path, decomposed.join('.'));
    if (problem !== null) throw new SourceError('denied', problem);
  }
}

function startProcess(path: string, proxy: string, home: string, password: string): ChildProcess {
  const { SSL_CERT_FILE, SSL_CERT_DIR, NODE_EXTRA_CA_CERTS } = process.env;
  const certificates = SSL_CERT_FILE ?? NODE_EXTRA_CA_CERTS;
  const flags = {
    'rc-addr': '127.0.0.1:0',
    config: '',
    'http-proxy': proxy,
    'low-level-retries': '3',
    contimeout: '15s',
    timeout: '60s',
    'buffer-size': '0',
    // The time of change that rclone keeps in metadata takes a request for each file.
    'use-server-modtime': 'true',
  };
  const options = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawn(path, ['rcd', '--rc-serve', ...options], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      HOME: home,
      TMPDIR: home,
      // Of a program that is found by its name. rclone starts none.
      ...(process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] }),
      RCLONE_RC_USER: 'citewell',
      RCLONE_RC_PASS: password,
      GOMEMLIMIT: '256MiB',
      ...(certificates === undefined ? {} : { SSL_CERT_FILE: certificates }),
      ...(SSL_CERT_DIR === undefined ? {} : { SSL_CERT_DIR }),
    },
  });
}

async function bodyOf(response: IncomingMessage, signal: AbortSignal | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES)
        throw new SourceError('unreadable', 'The folder has too many entries to be listed.');
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error instanceof SourceError ? error : ended(error);
  }
  return Buffer.concat(chunks).toString();
}

function errorOf({ statusCode = 500 }: IncomingMessage, text: string): RcloneError {
  try {
    return new RcloneError(statusCode, ERROR.parse(JSON.parse(text)).error);
  } catch {
    return new RcloneError(statusCode, `status ${statusCode}`);
  }
}

function ended(cause: unknown): SourceError {
  return new SourceError('unavailable', 'The connection to the storage was lost.', { cause });
}

function notStarted(path: string, reason: string): SourceError {
  return new SourceError('denied', rcloneProblem(path, null, reason) ?? reason);
}
