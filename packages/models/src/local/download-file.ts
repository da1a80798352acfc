import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Fetch, remoteFetch } from '@citewell/web/remote-fetch';

const STALLED_AFTER_MS = 60_000;
const MAX_REDIRECTS = 10;
const SHA256 = /^[0-9a-f]{64}$/;

export interface FileOptions {
  /** Expected digest, in hexadecimal. Default: what the hub states. */
  sha256?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Default: `remoteFetch`. */
  fetcher?: Fetch | undefined;
  /** Is called with the part that is there, 0..1. */
  onDone: (part: number) => void;
}

/** A file whose bytes are not those that the server announced. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/**
 * Downloads a file, unless it is there. An interrupted download is continued if the server confirms that the file is the
 * same (`If-Range`).
 *
 * @returns false if the server has no such file
 * @throws DamagedFileError if size or digest differ. The next call starts anew
 */
export async function downloadFile(url: string, target: string, options: FileOptions): Promise<boolean> {
  if (existsSync(target)) return true;
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal;
  const [partial, validator] = [`${target}.partial`, `${target}.validator`];
  const discard = async (): Promise<void> => {
    await rm(partial, { force: true });
    await rm(validator, { force: true });
  };
  try {
    await mkdir(dirname(target), { recursive: true });
    const known = await readFile(validator, 'utf8').catch(() => '');
    const size = (await stat(partial).catch(() => null))?.size ?? 0;
    const offset = known === '' ? 0 : size;
    const range = offset > 0 ? { range: `bytes=${offset}-`, 'if-range': known } : {};
    const { response, linkedDigest } = await followRedirects(url, range, signal, options.fetcher);
    // The hub answers 401 for a model that does not exist or is private.
    if ([401, 403, 404].includes(response.status)) {
      await response.body?.cancel();
      return false;
    }
    if (response.status === 416 && offset > 0) {
      await response.body?.cancel();
      await discard();
      return await downloadFile(url, target, options);
    }
    if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`);
    // Otherwise a truncated download would look like a complete one.
    if (!response.headers.has('content-length') && !response.headers.has('transfer-encoding'))
      throw new Error('The server sent a file without its length.');
    const start = response.status === 206 ? offset : 0;
    const total = start + Number(response.headers.get('content-length'));
    let loaded = start;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        timer.refresh();
        loaded += chunk.length;
        if (total > start) options.onDone(loaded / total);
        next(null, chunk);
      },
    });
    // Otherwise the next attempt could continue bytes of the earlier file.
    if (start === 0) await rm(partial, { force: true });
    await writeFile(validator, validatorOf(response));
    const file = createWriteStream(partial, { flags: start > 0 ? 'a' : 'w' });
    await pipeline(Readable.fromWeb(response.body), count, file, { signal });
    const expected = options.sha256 ?? linkedDigest;
    if (expected !== undefined && (await digestOf(partial)) !== expected) {
      await discard();
      throw new DamagedFileError('The digest of the file differs.');
    }
    await rename(partial, target);
    await rm(validator, { force: true });
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Follows redirects one by one: the hub states the SHA-256 of a large file (`x-linked-etag`) in the redirect to the server
 * that has it.
 */
async function followRedirects(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  fetcher: Fetch = remoteFetch,
): Promise<{ response: Response; linkedDigest: string | undefined }> {
  let linkedDigest: string | undefined;
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetcher(address, {
      // Lengths and ranges are those of the file.
      headers: { 'accept-encoding': 'identity', ...headers },
      signal,
      redirect: 'manual',
    });
    const digest = response.headers.get('x-linked-etag')?.replaceAll('"', '') ?? '';
    if (SHA256.test(digest)) linkedDigest = digest;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      return { response, linkedDigest };
    await response.body?.cancel();
    address = new URL(location, address).href;
  }
  throw new Error('The server redirects too often.');
}

/** What `If-Range` accepts: a strong entity tag or a date. */
function validatorOf({ headers }: Response): string {
  const etag = headers.get('etag') ?? '';
  return etag.startsWith('"') ? etag : (headers.get('last-modified') ?? '');
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
