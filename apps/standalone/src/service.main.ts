import { type Config, ConfigError, loadStandaloneConfig, misspelledVariables } from '@citewell/config';
import { endWithSupervisor } from './process-ends.js';
import { endsAtFault, type RunningStandalone, startStandalone } from './standalone.js';
import type { ServiceIsReady } from './supervise-service.js';
import { welcomeMessage } from './welcome-message.js';

/** The port of before if the supervisor has started the service again. */
const [, , formerPort] = process.argv;

endWithSupervisor();
try {
  const config = loadStandaloneConfig();
  const { port } = await (formerPort === undefined
    ? startFirst(config)
    : startStandalone({ ...config, PORT: Number(formerPort) }));
  // A service that has not told that it is ready is not started again.
  if (!endsAtFault(config)) process.send?.({ port } satisfies ServiceIsReady);
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : describeStartError(error);
  process.stderr.write(`\nCitewell could not start. ${reason}\n`);
  process.exit(1);
}

async function startFirst(config: Config): Promise<RunningStandalone> {
  const startedAt = performance.now();
  for (const sentence of misspelledVariables()) process.stderr.write(`${sentence}\n`);
  const standalone = await startStandalone(config);
  const seconds = (performance.now() - startedAt) / 1_000;
  // Later starts print it for a person only: the output of a service may be kept in a log.
  const signInLink = standalone.apiKey !== null || process.stdout.isTTY ? standalone.signInLink : null;
  process.stdout.write(welcomeMessage({ ...standalone, signInLink, seconds }));
  return standalone;
}

/** For common errors: what happened and what to do. */
function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const port = 'port' in error ? error.port : undefined;
  const path = 'path' in error ? String(error.path) : '';
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} is in use by another program. Stop that program, or set PORT to another port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 to listen on all addresses.';
  if (code === 'ECONNREFUSED')
    return `No server accepts connections at port ${String(port)}. Check DATABASE_URL and REDIS_URL, and that these servers are running.`;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `${path} is not a directory. Set CITEWELL_DATA_DIR to a directory, which may be new.`;
  if (code === 'EACCES' || code === 'EROFS')
    return path === ''
      ? 'Access to the data directory or the port was denied. Set CITEWELL_DATA_DIR to a writable directory, or PORT to another port.'
      : `Access to ${path} was denied. Set CITEWELL_DATA_DIR to a writable directory.`;
  if (code === 'ENOSPC')
    return 'The disk is full. Free some space, or set CITEWELL_DATA_DIR to a directory on another disk.';
  return error.message;
}
