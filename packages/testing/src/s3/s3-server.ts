import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The only credentials that s3rver accepts. It does not verify signatures of version 4. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const BUCKET = 'citewell-test';
/** s3rver encrypts continuation tokens with DES, which OpenSSL 3 has only in its legacy provider. */
const LEGACY_PROVIDER = '--openssl-legacy-provider';

/** A temporary S3 server with one bucket. `stop()` deletes its data. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/**
 * Starts s3rver as a process on a free port of the loopback interface.
 *
 * Differences to S3: two concurrent writes of one key mix their bytes. Multipart uploads can neither be
 * listed (501) nor aborted. Conditional headers are ignored.
 *
 * @throws Error when the process ends before it listens
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-s3-'));
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [LEGACY_PROVIDER, '--no-warnings', main, directory, BUCKET], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  const printed = once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => String(text).trim());
  const endpoint = await Promise.race([printed, exited.then(() => null)]);
  if (endpoint === null) {
    await stop();
    throw new Error('The S3 server did not start');
  }
  return { endpoint, bucket: BUCKET, ...KEYS, stop };
}
