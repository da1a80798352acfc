import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { getCACertificates } from 'node:tls';
import { confined, endWithParent } from '@citewell/observability/child-processes';
import { FilteringProxy } from '@citewell/web';
import { sourceScratch } from '../source-scratch.js';
import { SourceError } from '../source.js';

const CPU_SECONDS = 1_800;
const TIMEOUT_MS = 30 * 60_000;
/** Size of a file that git writes: the packed objects of one fetch. */
const FILE_BYTES = 2 * 1024 ** 3;
const CONNECTION_LIMITS = { maxBytesPerConnection: 8 * 1024 ** 3, maxConnectionMs: TIMEOUT_MS };

export interface GitOptions {
  readonly url: string;
  /** Of the header `Authorization`; null without credentials. */
  readonly authorization: string | null;
  readonly allowPrivateNetworks: readonly string[];
}

/**
 * The program git with a repository of its own in a temporary folder. It reads no configuration of the machine, runs no
 * hooks, asks nobody, speaks http and https only, and connects through a proxy that refuses private networks.
 */
export class Git {
  private readonly running = new Set<ChildProcess>();

  private constructor(
    private readonly folder: string,
    private readonly proxy: FilteringProxy,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async open({ url, authorization, allowPrivateNetworks }: GitOptions): Promise<Git> {
    const folder = await sourceScratch();
    const proxy = await FilteringProxy.start({ allowPrivateNetworks, limits: CONNECTION_LIMITS });
    // Trust what this process trusts.
    await writeFile(join(folder, 'authorities.pem'), getCACertificates().join('\n'));
    const config = {
      'remote.origin.url': url,
      'http.proxy': proxy.url,
      'http.sslCAInfo': join(folder, 'authorities.pem'),
      // A redirect to another host would get the token.
      'http.followRedirects': 'false',
      'http.lowSpeedLimit': '1',
      'http.lowSpeedTime': '60',
      'protocol.version': '2',
      'core.hooksPath': devNull,
      'credential.helper': '',
      'gc.auto': '0',
      'maintenance.auto': 'false',
      'fetch.negotiationAlgorithm': 'noop',
      ...(authorization !== null && { 'http.extraHeader': `Authorization: ${authorization}` }),
    };
    // Variables are not in the list of processes, as arguments are.
    const settings = Object.entries(config).flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    const git = new Git(folder, proxy, {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      GIT_DIR: join(folder, 'repository'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'http:https',
      GIT_CONFIG_COUNT: String(Object.keys(config).length),
      ...Object.fromEntries(settings),
    });
    try {
      await git.run(['init', '--quiet', '--bare', '--template='], new AbortController().signal);
      return git;
    } catch (error) {
      await git.close();
      throw error;
    }
  }

  /** @returns the output. @throws SourceError `unavailable` if git fails; or the reason of the signal */
  async run(args: readonly string[], signal: AbortSignal, input = ''): Promise<Buffer> {
    const { output, ended } = this.start(args, signal, input);
    const [bytes] = await Promise.all([buffer(output), ended]);
    return bytes;
  }

  /** Starts git. `ended` fails when git does; the caller has to wait for it. */
  start(
    args: readonly string[],
    signal: AbortSignal,
    input = '',
  ): { output: Readable; ended: Promise<void> } {
    signal.throwIfAborted();
    const [program, wrapped] = confined(['git', ...args], {
      cpuSeconds: CPU_SECONDS,
      fileBytes: FILE_BYTES,
      isolation: [],
    });
    const child = spawn(program, wrapped, {
      cwd: this.folder,
      env: this.env,
      detached: true,
      // Its messages have addresses.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.running.add(child);
    endWithParent(child, 'KILL', { isGroup: true });
    child.stdin.on('error', () => undefined).end(input);
    const onAbort = (): void => kill(child);
    const timer = setTimeout(onAbort, TIMEOUT_MS);
    signal.addEventListener('abort', onAbort);
    const ended = once(child, 'close').then(
      ([status]) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.running.delete(child);
        signal.throwIfAborted();
        if (status !== 0)
          throw new SourceError('unavailable', `The repository could not be read (git: ${status}).`);
      },
      (error: unknown) => {
        clearTimeout(timer);
        throw new SourceError('unavailable', 'The program git is not installed.', { cause: error });
      },
    );
    return { output: child.stdout, ended };
  }

  /** Ends git, and removes its folder. */
  async close(): Promise<void> {
    const closed = [...this.running].map((child) => once(child, 'close').catch(() => undefined));
    for (const child of this.running) kill(child);
    await Promise.all(closed);
    await this.proxy.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
  child.stdout?.destroy();
}
