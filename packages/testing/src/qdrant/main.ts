// Runs the server as a process: `node dist/qdrant/main.js [port]`. Prints its URL. Ends on SIGTERM or SIGINT.
import { startQdrantServer } from './qdrant-server.js';

const server = await startQdrantServer({ port: Number(process.argv[2] ?? 0) });
process.stdout.write(`${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
