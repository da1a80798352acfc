// Sends a request as soon as the last one is answered, and tells the longest wait so far when it is asked.
import { request, Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE_MS = 5;

// Passed by `AttackRun`.
const { url } = workerData as { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;

parentPort?.on('message', () => {
  parentPort?.postMessage(longestMs);
  longestMs = 0;
});

for (;;) {
  const started = performance.now();
  await new Promise<void>((answered) => {
    const sent = request(url, { agent }, (response) => response.resume().once('end', answered));
    sent.once('error', () => answered()).end();
  });
  longestMs = Math.max(longestMs, performance.now() - started);
  await sleep(PAUSE_MS);
}
