// For the tests of the sandbox alone: a parser process that does what the beginning of its file says.
import { readFile } from 'node:fs/promises';
import { DocumentBuilder, encodeDocument } from '@citewell/documents';
import { readRequest } from './parse-protocol.js';

const kept: Buffer[] = [];

const FAULTS: Readonly<Record<string, () => unknown>> = {
  hang: () => {
    for (;;);
  },
  sleep: () => undefined,
  buffers: () => setInterval(() => kept.push(Buffer.alloc(32 * 1024 * 1024, 1)), 10),
  heap: () => {
    const grown: string[][] = [];
    for (;;) grown.push(Array.from({ length: 1000 }, (_, index) => `${index} ${grown.length}`));
  },
  throw: () => {
    setImmediate(() => {
      throw new Error('not my day');
    });
  },
  exit: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGSEGV'),
  nonsense: () => process.send?.({ kind: 'document', text: 'short', outline: '{}' }),
  half: () => process.send?.({ kind: 'document', text: Buffer.alloc(3), outline: Buffer.alloc(0) }),
  outline: () =>
    process.send?.({ kind: 'document', text: Buffer.alloc(2), outline: Buffer.alloc(2_000_000) }),
  flood: () => process.send?.({ kind: 'document', text: Buffer.alloc(40_000), outline: Buffer.alloc(0) }),
};

process.on('disconnect', () => process.exit(0));
process.on('message', async (message) => {
  const content = await readFile(readRequest(message).path, 'utf8');
  const fault = FAULTS[content.trim()];
  if (fault !== undefined) fault();
  else if (content.startsWith('probe ')) process.send?.(answer(await probe(content.slice(6).trim())));
  else process.send?.(answer(`pid ${process.pid}`));
});

/** What the process is allowed to do. */
async function probe(what: string): Promise<string> {
  const { execFileSync } = await import('node:child_process');
  const { readFileSync, writeFileSync } = await import('node:fs');
  const { Worker } = await import('node:worker_threads');
  const { connect } = await import('node:net');
  const [act = '', port] = what.split(' ');
  const acts: Readonly<Record<string, () => unknown>> = {
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
    return `did ${JSON.stringify((await acts[act]?.()) ?? null)}`;
  } catch (error) {
    return `refused ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`;
  }
}

function answer(text: string): object {
  return { kind: 'document', ...encodeDocument(new DocumentBuilder().block('paragraph', text).build()) };
}
