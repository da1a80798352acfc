// Measures how much longer a question takes when a person asks it in a session than when a program asks it with an API key,
// and when the session has not been looked up in the last two seconds. The callers ask in turn over one keep-alive
// connection each; the answers are quotes, so that no model server is in the figures.
//
//   npm run bench -- signed-in-question [--questions 500] [--cold 40]
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GeneratedText } from './product/generated-text.js';
import { API_KEY, withStandalone } from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';
import { BenchClient } from './product/bench-client.js';

const SECTIONS = 10;
const DOCUMENTS = 20;
const QUESTION_WORDS = 8;
const WARM_UP = 50;
/** Longer than the API keeps what the database says about a key or a session. */
const FORGOTTEN_MS = 2_100;
const PASSWORD = 'correct horse battery';

const { values } = parseArgs({
  options: { questions: { type: 'string', default: '500' }, cold: { type: 'string', default: '40' } },
});
const texts = new GeneratedText(1);

await withStandalone({}, async (product) => {
  const client = new BenchClient(product.url);
  const datastoreId = await client.createDatastore();
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
    name: `Text ${n}`,
    text: texts.document(SECTIONS),
  }));
  await client.createTexts(datastoreId, documents);
  await client.waitUntilFinished(datastoreId);
  const agent = await client.json<{ id: string }>('POST', 'agents', {
    name: 'A',
    datastoreIds: [datastoreId],
  });
  const invited = await client.json<{ token: string }>('POST', 'people', {
    email: 'ada@example.com',
    role: 'member',
  });
  const headers = { 'content-type': 'application/json', 'citewell-csrf': '1' };
  const signedIn = await fetch(`${product.url}/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: invited.token, password: PASSWORD }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
  if (!signedIn.ok || cookie === undefined) throw new Error(`Signing in failed: ${await signedIn.text()}`);

  const path = `/api/agents/${agent.id}/query`;
  const asProgram = asker(product.url, path, { ...headers, authorization: `Bearer ${API_KEY}` });
  const asPerson = asker(product.url, path, { ...headers, cookie });
  const callers = { 'API key': asProgram, 'session of a person': asPerson };
  const warm = await inTurn(callers, Number(values.questions) + WARM_UP, 0);
  const cold = await inTurn(callers, Number(values.cold), FORGOTTEN_MS);
  const rows = {
    'API key': warm['API key'].row(),
    'session of a person': warm['session of a person'].row(),
    'API key, looked up again': cold['API key'].row(),
    'session of a person, looked up again': cold['session of a person'].row(),
  };
  console.table(rows);
  const difference = (of: typeof warm): number =>
    round(of['session of a person'].percentile(0.5) - of['API key'].percentile(0.5));
  console.log(`A session adds ${difference(warm)} ms to the median, ${difference(cold)} ms looked up again`);
  client.close();
});

type Callers = Record<'API key' | 'session of a person', (question: string) => Promise<void>>;

/** Lets the callers ask the same questions one after the other, the first of them in turn. */
async function inTurn(
  callers: Callers,
  count: number,
  pauseMs: number,
): Promise<Record<keyof Callers, Timings>> {
  const timings = { 'API key': new Timings(), 'session of a person': new Timings() };
  const names = ['API key', 'session of a person'] as const;
  for (let n = 0; n < count; n += 1) {
    const question = texts.phrase(QUESTION_WORDS);
    for (const name of n % 2 === 0 ? names : names.toReversed()) {
      if (pauseMs > 0) await sleep(pauseMs);
      if (pauseMs === 0 && n < WARM_UP) await callers[name](question);
      else await timings[name].measure(() => callers[name](question));
    }
  }
  return timings;
}

function asker(
  url: string,
  path: string,
  headers: Record<string, string>,
): (question: string) => Promise<void> {
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  return (question) =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, url), { method: 'POST', headers, agent: connection }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`The question was answered with ${response.statusCode}`));
        });
      });
      sent.once('error', reject).end(JSON.stringify({ query: question }));
    });
}
