// For the tests of the sandbox: a parser process that misbehaves as the content of its file says.
import { readFile } from 'node:fs/promises';
import { DocumentBuilder, encodeDocument } from '@citewell/documents';
import { readRequest } from '../parse-protocol.js';

const retained: Buffer[] = [];

const FAULTS: Readonly<Record<string, () => unknown>> = {
  hang: () => {
    for (;;);
  },
  sleep: () => undefined,
  buffers: () => setInterval(() => retained.push(Buffer.alloc(32 * 1024 * 1024, 1)), 10),
  heap: () => {
    const strings: string[][] = [];
    for (;;) strings.push(Array.from({ length: 1000 }, (_, index) => `${index} ${strings.length}`));
  },
  throw: () => {
    setImmediate(() => {
      throw new Error('scripted failure');
    });
  },
  exit: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGSEGV'),
  nonsense: () => process.send?.({ kind: 'document', text: 'short', outline: '{}' }),
  half: () => process.send?.({ kind: 'document', text: Buffer.alloc(3), outline: Buffer.alloc(0) }),
  outline: () =>
    process.send?.({ kind: 'document', text: Buffer.alloc(2), outline: Buffer.alloc(2_000_000) }),
  'tables-exit': () => beforeTables('exit'),
  'tables-hang': () => beforeTables('hang'),
  'tables-heap': () => beforeTables('heap'),
  flood: () => process.send?.({ kind: 'document', text: Buffer.alloc(40_000), outline: Buffer.alloc(0) }),
};

/** Fails after the document has been read. */
function beforeTables(fault: string): void {
  process.send?.({ ...answer('read'), mayHaveTables: true });
  setTimeout(() => FAULTS[fault]?.(), 50);
}

process.on('disconnect', () => process.exit(0));
process.on('message', async (message) => {
  const { source } = readRequest(message);
  const content =
    typeof source === 'string' ? await readFile(source, 'utf8') : Buffer.from(source).toString();
  const fault = FAULTS[content.trim()];
  if (fault !== undefined) fault();
  else if (content.startsWith('probe ')) process.send?.(answer(await probe(content.slice(6).trim())));
  else process.send?.(answer(`pid ${process.pid}`));
});

/**
 * Tries an action that the sandbox should refuse.
 *
 * @returns `did` and its result, or `refused` and the error code
 */
async function probe(command: string): Promise<string> {
  const { execFileSync } = await import('node:child_process');
  const { readFileSync, writeFileSync } = await import('node:fs');
  const { Worker } = await import('node:worker_threads');
  const { connect } = await import('node:net');
  const [action = '', port] = command.split(' ');
  const actions: Readonly<Record<string, () => unknown>> = {
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => resolve('connected')).once('error', reject);
        socket.unref();
      }),
    read: () => readFileSync('/etc/hostname'),
    write: () => writeFileSync('written', 'x'),
    spawn: () => execFileSync('/bin/true'),
    worker: () => new Worker('1', { eval: true }),
    environment: () => Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')),
  };
  try {
    return `did ${JSON.stringify((await actions[action]?.()) ?? null)}`;
  } catch (error) {
    return `refused ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`;
  }
}

function answer(text: string): object {
  return {
    kind: 'document',
    ...encodeDocument(new DocumentBuilder().block('paragraph', text).build()),
    pages: [],
    leftOut: {},
    title: null,
    warnings: [],
  };
}
