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
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} is taken by another program. Stop it, or set PORT to another one.`;
  if (code === 'EACCES')
    return `There is no permission for ${'path' in error ? String(error.path) : 'the data directory or the port'}.`;
  if (code === 'ENOSPC') return 'The disk is full.';
  return error.message;
}
