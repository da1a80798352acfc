// Measures typed tables:
//
//   node dist/tables.bench.js types FOLDER KEY      KEY is JSON: { "file.csv": ["text", "number", …], … }, of the first table
//   node dist/tables.bench.js queries FOLDER LIST   each line of LIST is JSON: { "file": …, "sql": …, "rows": [[…], …] }
//   node dist/tables.bench.js large [ROWS]          a CSV file of a million rows: time with and without tables, queries, memory
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Document, encodeDocument, parseDocument } from '@citewell/documents';
import { type FileType, isFileType } from '@citewell/documents/file-type';
import { TableEngine } from '@citewell/tables';
import { tableOptions, typedTables, writeTables } from '@citewell/tables/writer';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.jsonl': 'application/json',
  '.pdf': 'application/pdf',
  '.xlsx': `${OFFICE}.spreadsheetml.sheet`,
  '.docx': `${OFFICE}.wordprocessingml.document`,
};

function typeOf(path: string): FileType {
  const type = TYPES[extname(path).toLowerCase()] ?? '';
  if (!isFileType(type)) throw new Error(`no parser for ${path}`);
  return type;
}

function read(path: string): Promise<Document> {
  return parseDocument(new Uint8Array(readFileSync(path)), { fileType: typeOf(path), fileName: path });
}

async function compareTypes(folder: string, keyPath: string): Promise<void> {
  const key = JSON.parse(readFileSync(keyPath, 'utf8')) as Record<string, string[]>;
  let right = 0;
  let all = 0;
  for (const [file, expected] of Object.entries(key)) {
    const document = await read(join(folder, file));
    const [table] = typedTables(document, tableOptions(typeOf(file), document.metadata));
    for (const [index, type] of expected.entries()) {
      const column = table?.columns[index];
      all += 1;
      if (column?.type === type) right += 1;
      else console.log(`${file}: ${column?.name ?? index + 1} is ${column?.type ?? 'missing'}, not ${type}`);
    }
  }
  console.log(`${right} of ${all} columns have the right type: ${(right / all).toFixed(3)}`);
}

type Value = number | string | null;

interface KnownResult {
  readonly file: string;
  readonly sql: string;
  readonly rows: readonly (readonly Value[])[];
}

async function compareQueries(folder: string, listPath: string): Promise<void> {
  const list = readFileSync(listPath, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as KnownResult);
  const scratch = mkdtempSync(join(tmpdir(), 'tables-bench-'));
  const engine = new TableEngine();
  const paths = new Map<string, string>();
  let right = 0;
  for (const { file, sql, rows } of list) {
    let path = paths.get(file);
    if (path === undefined) {
      const document = await read(join(folder, file));
      path = join(scratch, `${paths.size}.sqlite`);
      writeTables(typedTables(document, tableOptions(typeOf(file), document.metadata)), path);
      paths.set(file, path);
    }
    const found = await engine.query(path, sql).catch(String);
    if (typeof found !== 'string' && areEqual(found.rows, rows)) right += 1;
    else console.log(`${file}: ${sql}\n  ${JSON.stringify(typeof found === 'string' ? found : found.rows)}`);
  }
  await engine.close();
  rmSync(scratch, { recursive: true });
  console.log(`${right} of ${list.length} results are equal: ${(right / list.length).toFixed(3)}`);
}

/** Numbers may differ in the order of an addition. */
function areEqual(found: KnownResult['rows'], known: KnownResult['rows']): boolean {
  const areSame = (a: Value | undefined, b: Value | undefined): boolean =>
    typeof a === 'number' && typeof b === 'number'
      ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))
      : a === b;
  return (
    found.length === known.length &&
    known.every((row, index) => row.every((value, column) => areSame(found[index]?.[column], value)))
  );
}

const CUSTOMERS = ['Müller GmbH', 'Acme Inc.', 'Łódź S.A.', 'Brown & Sons', 'Dupont SARL'];

function* orders(count: number): Generator<string> {
  yield 'Order,Date,Customer,Quantity,Amount\n';
  for (let index = 0; index < count; index += 1) {
    const date = new Date(Date.UTC(2026, 0, 1 + ((index * 7919) % 365))).toISOString().slice(0, 10);
    const amount = ((index * 104_729) % 99_991) / 100;
    yield `N-${index},${date},${CUSTOMERS[(index * 31) % 5]},${(index % 90) + 1},${amount.toFixed(2)}\n`;
  }
}

async function measureLarge(count: number): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tables-bench-'));
  const path = join(scratch, 'large.sqlite');
  const bytes = new Uint8Array(Buffer.from([...orders(count)].join('')));
  console.log(`${count} rows, ${(bytes.byteLength / 1e6).toFixed(1)} MB`);
  const document = await timed('text', async () => {
    const parsed = await parseDocument(bytes, { fileType: 'text/csv' });
    encodeDocument(parsed);
    return parsed;
  });
  await timed('tables', async () =>
    writeTables(typedTables(document, tableOptions('text/csv', document.metadata)), path),
  );
  console.log(`file of tables: ${(statSync(path).size / 1e6).toFixed(1)} MB`);
  const engine = new TableEngine();
  const filter =
    'SELECT count(*), sum(amount) FROM t1 WHERE customer = ? AND date BETWEEN ? AND ? AND NOT _total';
  const may = ['2026-05-01', '2026-05-31'];
  await timed('first query, with the start of its process', () =>
    engine.query(path, filter, ['Müller GmbH', ...may]),
  );
  await timed('second query', () => engine.query(path, filter, ['Acme Inc.', ...may]));
  await timed('a term', () => engine.query(path, 'SELECT * FROM cell_terms WHERE term = ?', ['n-500']));
  await timed('sums by customer', () =>
    engine.query(path, 'SELECT customer, sum(amount) FROM t1 GROUP BY customer', [], { timeoutMs: 20_000 }),
  );
  await timed('sums by customer and month', () =>
    engine.query(path, "SELECT customer, strftime('%m', date), sum(amount) FROM t1 GROUP BY 1, 2", [], {
      timeoutMs: 20_000,
    }),
  );
  await engine.close();
  rmSync(scratch, { recursive: true });
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - startedAt);
  const { user, system } = process.cpuUsage(cpuBefore);
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  console.log(`${name}: ${ms} ms, ${Math.round((user + system) / 1e3)} ms of CPU, ${megabytes} MB`);
  return result;
}

const [mode, first = '', second = ''] = process.argv.slice(2);
if (mode === 'types') await compareTypes(first, second);
else if (mode === 'queries') await compareQueries(first, second);
else await measureLarge(Number(first) || 1_000_000);
