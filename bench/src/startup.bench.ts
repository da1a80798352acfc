// Measures the time until `npm start` is ready, and the memory of all its processes: after some idle time,
// and again after a first upload and question. Linux only.
//
//   node dist/startup.bench.js [file to upload] [--starts 3] [--idle 20] [--rest 60]
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { GeneratedText } from './product/generated-text.js';
import { processTree, pssOf } from './product/process-tree.js';
import { StandaloneProcess, withDirectory } from './product/standalone-process.js';
import { BenchClient } from './product/bench-client.js';

const NPM_START = ['npm', 'start', '--loglevel=error'] as const;
const MAX_COMMAND_CHARACTERS = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    starts: { type: 'string', default: '3' },
    idle: { type: 'string', default: '20' },
    rest: { type: 'string', default: '60' },
  },
});

await withDirectory(async (directory) => {
  const first = await StandaloneProcess.start({ directory, command: NPM_START });
  await first.stop();
  const seconds: number[] = [];
  for (let n = 1; n < Number(values.starts); n++) {
    const product = await StandaloneProcess.start({ directory, command: NPM_START });
    seconds.push(product.readyMs / 1_000);
    await product.stop();
  }
  const product = await StandaloneProcess.start({ directory, command: NPM_START });
  seconds.push(product.readyMs / 1_000);
  try {
    console.log(`npm start: first ${(first.readyMs / 1_000).toFixed(2)} s (compiled, no data yet);`);
    console.log(`with data: ${seconds.map((value) => value.toFixed(2)).join(', ')} s`);
    await sleep(Number(values.idle) * 1_000);
    printMemory(`ready for ${values.idle} s`, product.pid);
    await uploadAndAsk(product.url, positionals[0]);
    await sleep(Number(values.rest) * 1_000);
    printMemory(`${values.rest} s after the first upload and question`, product.pid);
  } finally {
    await product.stop();
  }
});

function printMemory(title: string, pid: number): void {
  const processes = processTree(pid).map((process) => ({ ...process, pss: pssOf(process.pid) }));
  const sum = (size: 'pss' | 'rss'): string =>
    megabytes(processes.reduce((total, process) => total + process[size], 0));
  console.log(`\n${title}: ${sum('pss')} MB PSS, ${sum('rss')} MB RSS in ${processes.length} processes`);
  console.table(
    processes.map(({ command, pss, rss }) => ({
      process: command.slice(0, MAX_COMMAND_CHARACTERS),
      'PSS MB': Number(megabytes(pss)),
      'RSS MB': Number(megabytes(rss)),
    })),
  );
}

async function uploadAndAsk(url: string, file: string | undefined): Promise<void> {
  const client = new BenchClient(url);
  const datastoreId = await client.createDatastore();
  const texts = new GeneratedText(3);
  if (file === undefined)
    await client.upload(datastoreId, { name: 'text.md', content: Buffer.from(texts.document(20)) });
  else await client.upload(datastoreId, { name: basename(file), content: await readFile(file) });
  await client.waitUntilFinished(datastoreId);
  const agent = await client.json<{ id: string }>('POST', 'agents', {
    name: 'Benchmark',
    datastoreIds: [datastoreId],
  });
  await client.json('POST', `agents/${agent.id}/query`, { query: 'What is it about?' });
  client.close();
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
