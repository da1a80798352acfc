import { ConfigError, loadConfig } from '@citewell/config';
import { startStandalone } from './standalone.js';
import { welcome } from './welcome.js';

const started = performance.now();

try {
  const running = await startStandalone(loadConfig());
  process.stdout.write(welcome({ ...running, seconds: (performance.now() - started) / 1_000 }));
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : describe(error);
  process.stderr.write(`\nCitewell could not start. ${reason}\n`);
  process.exit(1);
}

/** One sentence that says what to do, for what commonly goes wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const port = 'port' in error ? error.port : undefined;
  const path = 'path' in error ? String(error.path) : '';
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} is taken by another program. Stop it, or set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is no address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all of them.';
  if (code === 'ECONNREFUSED')
    return `Nothing answers at port ${String(port)}. Check DATABASE_URL and REDIS_URL, and that their servers run.`;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `${path} is no directory. Set CITEWELL_DATA_DIR to one, or to one that can be made.`;
  if (code === 'EACCES' || code === 'EROFS')
    return `There is no permission for ${path || 'the data directory or the port'}. Set CITEWELL_DATA_DIR or PORT.`;
  if (code === 'ENOSPC') return 'The disk is full.';
  return error.message;
}
