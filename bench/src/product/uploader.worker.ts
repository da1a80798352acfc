// Uploads Markdown files and waits until they are synched.
import { workerData } from 'node:worker_threads';
import { GeneratedText } from './generated-text.js';
import { BenchClient } from './bench-client.js';

/** A document of about 25 kB or ten pages. */
const SECTIONS = 12;

// Passed by the benchmark that starts this thread.
const { url, datastoreId, files } = workerData as { url: string; datastoreId: string; files: number };
const client = new BenchClient(url);
const texts = new GeneratedText(2);
for (let n = 0; n < files; n++) {
  await client.upload(datastoreId, {
    name: `file-${n}.md`,
    content: Buffer.from(texts.document(SECTIONS)),
  });
}
await client.waitUntilFinished(datastoreId);
client.close();
