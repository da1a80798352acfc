import type { ServerResponse } from 'node:http';

const STORE = { id: 's1', name: 'Papers' };
export const AGENT = { id: 'a1', name: 'Reader', modelName: 'gpt_4', datastoreIds: ['s1'] };
const STATS = { chunks: 4, characters: 1_200, bytes: 9, pages: 2, durationMs: 5, leftOut: {} };
const SYNCHED = { id: 'd1', name: 'a.txt', type: 'file', status: 'synched', lastSynch: '2026-01-02' };
const DATASOURCE = { ...SYNCHED, datastoreId: 's1', progress: null, error: null, stats: STATS, revision: 3 };
export const FAILED = {
  ...DATASOURCE,
  id: 'd2',
  status: 'error',
  error: { code: 'CORRUPT_FILE', message: 'The file is damaged.', retryable: false },
};
export const SOURCE = {
  chunk_id: 'c1',
  datasource_id: 'd1',
  datasource_name: 'a.pdf',
  datasource_type: 'file',
  source: 'a.pdf',
  score: 0.9,
  text: 'The  answer\nis 42.',
  page_number: 7,
  heading_path: ['Life', 'Everything'],
  start: 120,
  end: 138,
  revision: 3,
  cited: true,
};
const CITED = { ...SOURCE, quote: { start: 124, end: 138, text: 'answer\nis 42.' } };
const ANSWER = {
  answer: 'It is 42 [2].',
  conversationId: 'c',
  visitorId: 'v',
  messageId: 'm',
  abstained: false,
  finishReason: 'stop' as const,
  sources: [{ ...SOURCE, cited: false, datasource_name: 'b.pdf' }, CITED],
};
const KEY = { id: 'k1', name: 'Bot', prefix: 'cw_abc', scopes: ['read', 'write'], expiresAt: null };

/** The responses of the service by method and path. A function writes its response itself. */
export type Routes = Record<string, object | ((response: ServerResponse, body: string) => void)>;

export const ROUTES: Routes = {
  'GET /api/datastores/s1': STORE,
  'GET /api/datastores?limit=100': [STORE],
  'GET /api/agents/a1': AGENT,
  'GET /api/agents/all': { ...AGENT, name: 'All documents', datastoreIds: ['s1'] },
  'GET /api/agents?limit=100': [AGENT],
  'POST /api/datasources': (response, body) => {
    if (body.includes('many/slow.txt')) return;
    const outcome = /outcome-(\w+)/.exec(body)?.[1];
    response.end(
      JSON.stringify({
        ...DATASOURCE,
        status: 'unsynched',
        progress: { stage: 'parsing' },
        ...(outcome ? { upsertOutcome: outcome } : {}),
      }),
    );
  },
  'POST /api/datasources/batch': (response, body) => {
    const { items }: { items: { config: { source_url: string } }[] } = JSON.parse(body);
    const results = items.map(({ config }) =>
      config.source_url.includes('refused')
        ? { error: 'CONFLICT', message: 'Several datasources of this datastore have this custom id.' }
        : { id: 'd1', status: 'unsynched', upsertOutcome: 'created' },
    );
    response.end(JSON.stringify({ items: results }));
  },
  'POST /api/sources/check': {
    message: 'The mailbox has 2 folders.',
    documents: [{ path: 'INBOX/Hi\u001B.eml', bytes: 3, modifiedAt: null }],
    found: 1,
    leftOut: 0,
    isComplete: true,
  },
  'GET /api/datasources/d1': DATASOURCE,
  'GET /api/datasources/d2': FAILED,
  'DELETE /api/datasources/d1': DATASOURCE,
  'DELETE /api/datastores/s1': STORE,
  'GET /api/datasources?limit=100': [{ ...DATASOURCE, exportOf: 'notion' }, FAILED],
  'GET /api/datasources/d1/urls?outcome=skipped&limit=100': [
    { url: 'https://a.example/x', outcome: 'skipped', message: 'It asks not to be indexed.', target: null },
    {
      url: 'https://a.example/y',
      outcome: 'redirect',
      message: null,
      reason: null,
      target: 'https://a.example/z',
    },
  ],
  'GET /api/datasources?datastoreId=s1&status=error&limit=5': [FAILED],
  'GET /api/datasources?datastoreId=s1&limit=100': [],
  'GET /api/conversations?limit=100': (response) => {
    response.writeHead(403).end(JSON.stringify({ error: 'FORBIDDEN', message: 'No scope.' }));
  },
  'POST /api/datastores/s1/query': [SOURCE],
  'POST /api/agents/a1/query': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: answer\ndata: It is \n\nevent: answer\ndata: 42 \u001B[2J[2].\n\n');
    response.end(`event: endpoint_response\ndata: ${JSON.stringify(ANSWER)}\n\ndata: [DONE]\n\n`);
  },
  'GET /api/api-keys?limit=100': [KEY],
  'POST /api/api-keys': { ...KEY, key: 'cw_secret' },
  'DELETE /api/api-keys/k1': KEY,
  'GET /api/usage': {
    month: '2026-01',
    agentQueries: { used: 12, limit: 100 },
    storedCharacters: { used: 1_234_567, limit: null },
  },
};
