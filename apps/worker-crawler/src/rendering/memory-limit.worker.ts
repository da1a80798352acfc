// A thread of a browser process that kills the process when its tree uses more memory than `workerData`, in bytes. Reading
// the memory of many processes takes a large part of a core, so neither the worker does it, nor the thread that
// messages of a hostile page may block.
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { processTree } from './process-tree.js';

const CHECK_MS = 250;

for (;;) {
  const tree = await processTree(process.pid);
  // The worker ends Chromium, which outlives this process.
  if (tree.reduce((sum, { bytes }) => sum + bytes, 0) > Number(workerData))
    process.kill(process.pid, 'SIGKILL');
  await sleep(CHECK_MS);
}
