import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The only pair of keys that s3rver knows; it refuses others, and looks at no signature of version 4. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const BUCKET = 'citewell-test';
/** s3rver encrypts the tokens that continue a list with DES, which OpenSSL has put away since version 3. */
const WITH_DES = '--openssl-legacy-provider';

/** An S3 server with one bucket, thrown away at the end. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/**
 * Starts s3rver as a process of its own on a free port of the loopback interface.
 *
 * What it has not got: two writes of one key at once mix their bytes; multipart uploads are neither listed (501) nor
 * aborted; conditional headers are not looked at.
 *
 * @throws when it ends instead of listening
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-s3-'));
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [WITH_DES, '--no-warnings', main, directory, BUCKET], {
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
