// Runs the server as a process, for `startS3Server`: `node --openssl-legacy-provider dist/s3/main.js
// directory bucket`. Prints its URL. Ends on SIGTERM or SIGINT.
import S3rver from 's3rver';

const [directory, bucket] = process.argv.slice(2);
if (directory === undefined || bucket === undefined) throw new Error('usage: main.js directory bucket');

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
process.stdout.write(`http://127.0.0.1:${port}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
