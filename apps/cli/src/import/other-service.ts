import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetryAfter } from '@citewell/web/fetch-errors';
import { remoteFetch } from '@citewell/web/remote-fetch';
import { inOneLine } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';
import { toObject } from './found-document.js';

const TIMEOUT_MS = 300_000;
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** An answer of another product that is no success. */
export class OtherServiceError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = 'OtherServiceError';
  }
}

/** The API of another product. Its key is sent in a header, only to this address. */
export class OtherService {
  readonly base: string;

  /** @throws {@link UsageError} for an address that is none */
  constructor(
    address: string,
    private readonly key: string,
  ) {
    const url = URL.parse(address);
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      throw new UsageError(`${inOneLine(address)} is not an address such as https://example.org.`);
    if (url.username !== '' || url.password !== '' || url.search !== '')
      throw new UsageError(
        'The address must not contain a key. Give it on standard input, or in IMPORT_API_KEY.',
      );
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new UsageError('The API key is missing or has characters that no key has.');
    this.base = url.href.replace(/\/$/, '');
  }

  async json(path: string): Promise<unknown> {
    const response = await this.open(`${this.base}${path}`, true);
    const text = await response.text().catch(interrupted);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`${path} did not answer with JSON. Check the address.`, { cause: error });
    }
  }

  /** Writes an answer to a file. @returns its media type; empty if the answer does not tell it */
  async save(path: string, target: string): Promise<string> {
    return this.write(`${this.base}${path}`, true, target);
  }

  /** As {@link save}, of an address that an answer has named. The key is not sent there. @param address may be relative */
  async saveLinked(address: string, target: string): Promise<string> {
    return this.write(new URL(address, this.base).href, false, target);
  }

  /** An interruption is no reason to do without the file: a later import brings it. */
  private async write(url: string, hasKey: boolean, target: string): Promise<string> {
    const { body, headers } = await this.open(url, hasKey);
    await writeFile(target, body === null ? '' : chunksOf(body));
    return headers.get('content-type') ?? '';
  }

  /** Tries again when the service is busy or not there for a moment. */
  private async open(url: string, hasKey: boolean): Promise<Response> {
    const headers = hasKey ? { authorization: `Bearer ${this.key}` } : {};
    for (let attempt = 1; ; attempt += 1) {
      const response = await remoteFetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
        (error: unknown) => {
          if (attempt < MAX_ATTEMPTS) return null;
          throw new OtherServiceError(`${new URL(url).origin} could not be reached: ${reasonOf(error)}.`, 0);
        },
      );
      if (response?.ok) return response;
      const isTransient = response === null || response.status === 429 || response.status >= 500;
      if (response !== null && (!isTransient || attempt === MAX_ATTEMPTS)) throw await refusal(response);
      const asked = parseRetryAfter(response?.headers.get('retry-after') ?? undefined, Date.now());
      await sleep(Math.min(asked ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS));
    }
  }
}

/** The bytes of an answer. An error that their reader has is its own. */
async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    interrupted(error);
  }
}

function interrupted(error: unknown): never {
  throw new OtherServiceError(`The answer was interrupted: ${reasonOf(error)}.`, 0);
}

async function refusal(response: Response): Promise<OtherServiceError> {
  const { status } = response;
  const { message, detail } = toObject(await response.text().catch(() => ''));
  const said = [message, detail].find((text) => typeof text === 'string');
  const advice = status === 401 || status === 403 ? ' Check the API key and its permissions.' : '';
  return new OtherServiceError(
    `The other service answered with status ${status}${said === undefined ? '' : `: ${inOneLine(String(said), 200)}`}.${advice}`,
    status,
  );
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? inOneLine(cause.message, 200) : 'unknown error';
}
