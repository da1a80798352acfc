import { setTimeout as sleep } from 'node:timers/promises';
import { progressBar } from '@citewell/infrastructure/progress-bar';
import {
  type BatchItemResult,
  type Citewell,
  CitewellError,
  type Datasource,
  type DatasourceItem,
  type OnUploadProgress,
} from '@citewell/sdk';
import { describeError, errorLine, withAdvice } from '../describe-error.js';
import { inOneLine, print, printToStderr, showProgress, styleStatus } from '../terminal/output.js';
import { type Accepted, sendOnce, type Source } from './source.js';
import type { Tally } from './tally.js';

const DATASOURCES_PER_PAGE = 100;

/** Pause after each reading of the list, for each page that was read. */
const POLL_PAUSE_MS = 500;

/** Above this number of new datasources, the list is read instead of each datasource. */
const MAX_POLLED_ONE_BY_ONE = 10;

const OUTCOME_WORDS = { created: 'added', replaced: 'replaced', unchanged: 'unchanged' } as const;

/** Where datasources are added, and what is printed about them. */
export interface Target {
  client: Citewell;
  datastoreId: string;
  isWaiting: boolean;
  isJson: boolean;
}

interface Work {
  /** Counts what becomes of the sources. */
  readonly tally: Tally;
  /** Ends the command. What was sent is indexed. */
  readonly signal: AbortSignal;
}

/** Sends all sources, then waits for them. Prints the result of each. */
export async function addAll(target: Target, sources: readonly Source[], work: Work): Promise<void> {
  const accepted = await sendAll(target, sources, work);
  const { client, datastoreId, isWaiting } = target;
  const { tally, signal } = work;
  const created = accepted.filter(({ upsertOutcome }) => (upsertOutcome ?? 'created') === 'created');
  const unlessAborted =
    <Value>(value: Value) =>
    (error: unknown): Value => {
      if (signal.aborted) return value;
      throw error;
    };
  const options = {
    datastoreId,
    signal,
    onProgress: (ended: number) => showProgress(`${ended} of ${created.length} are indexed`),
  };
  const ids = created.map(({ id }) => id);
  const none = new Map<string, Datasource>();
  const synched =
    isWaiting && ids.length > MAX_POLLED_ONE_BY_ONE && !signal.aborted
      ? await waitForMany(client, ids, options).catch(unlessAborted(none))
      : none;
  for (const datasource of accepted) {
    await attempt(datasource.name, work, async () => {
      const { id, status, upsertOutcome = 'created' } = datasource;
      const isDone = upsertOutcome === 'unchanged' && status === 'synched';
      // After Ctrl-C, it is printed as it was accepted.
      const waits = isWaiting && !isDone && !synched.has(id) && !signal.aborted;
      const waited = waits
        ? await waitFor(client, datasource, signal).catch(unlessAborted(datasource))
        : datasource;
      const result = synched.get(id) ?? waited;
      showProgress('');
      await printResult(target, result, upsertOutcome);
      tally[OUTCOME_WORDS[upsertOutcome]] += 1;
    });
  }
}

/** @returns what the service has accepted */
async function sendAll(
  { client, datastoreId }: Target,
  sources: readonly Source[],
  work: Work,
): Promise<Accepted[]> {
  const { tally, signal } = work;
  const addresses = sources.flatMap((source) => ('item' in source ? source.item : []));
  let sending: ReturnType<typeof sendItems> | undefined;
  const accepted: Accepted[] = [];
  const failedBefore = tally.failed;
  let sentAddresses = 0;
  for (const source of sources) {
    if (signal.aborted) break;
    const shown = inOneLine(source.label, 50);
    showProgress(`${shown}: sending`);
    await attempt(source.label, work, async () => {
      if ('item' in source) {
        // All addresses together, when the first one comes.
        sending ??= sendItems(client, datastoreId, addresses);
        const result = (await sending)[sentAddresses++];
        if (result instanceof CitewellError) throw result;
        if (result !== undefined) accepted.push(result);
        return;
      }
      const onProgress: OnUploadProgress = ({ sentBytes, totalBytes }) =>
        showProgress(`${progressBar((sentBytes / (totalBytes ?? sentBytes)) * 100)}  ${shown}: sending`);
      accepted.push(await source.send(client, datastoreId, { onProgress, signal }));
    });
  }
  tally['not sent'] += sources.length - accepted.length - (tally.failed - failedBefore);
  return accepted;
}

/** Counts and prints a failure. An interruption is not counted. */
async function attempt(label: string, { tally, signal }: Work, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showProgress('');
    if (signal.aborted) return;
    printToStderr(`${inOneLine(label)}: ${describeError(error).message}`);
    tally.failed += 1;
  }
}

async function waitFor(client: Citewell, { id, name }: Accepted, signal: AbortSignal): Promise<Datasource> {
  const label = inOneLine(name, 50);
  return client.datasources.waitUntilSynched(id, {
    timeoutMs: Number.POSITIVE_INFINITY,
    signal,
    onProgress: ({ progress }) => {
      if (progress) showProgress(`${progressBar(progress.percent)}  ${label}: ${progress.stage}`);
    },
  });
}

async function printResult(
  { client, isJson }: Target,
  result: Accepted | Datasource,
  outcome: keyof typeof OUTCOME_WORDS,
): Promise<void> {
  const { id, status, name } = result;
  if (isJson) {
    const datasource = 'config' in result ? result : await client.datasources.get(id);
    print(JSON.stringify({ ...datasource, upsertOutcome: outcome }));
    return;
  }
  print(`${id}  ${styleStatus(status)}  ${OUTCOME_WORDS[outcome]}  ${inOneLine(name)}`);
  // Of a document that is synched: what could not be read.
  if ('error' in result && result.error && status === 'synched')
    printToStderr(`${inOneLine(name)}: ${withAdvice(errorLine(result.error), result.error.code, id)}`);
}

interface WaitForManyOptions {
  datastoreId: string;
  /** Called after each reading of the list with the number of datasources that have ended. */
  onProgress(ended: number): void;
  signal?: AbortSignal;
  /** Default 500. */
  pauseMs?: number;
}

/**
 * Waits until new datasources are synched, have failed, or are cancelled or deleted. The service limits the requests
 * per minute. New datasources are at the top of the list of the datastore, so one request is enough for 100 of them.
 *
 * @returns those that are synched, by id
 */
export async function waitForMany(
  client: Pick<Citewell, 'datasources'>,
  ids: readonly string[],
  { datastoreId, onProgress, signal, pauseMs = POLL_PAUSE_MS }: WaitForManyOptions,
): Promise<Map<string, Datasource>> {
  const synched = new Map<string, Datasource>();
  const [oldest = ''] = ids.toSorted();
  let unfinished: ReadonlySet<string> = new Set(ids);
  for (;;) {
    const inProgress = new Set<string>();
    let listed = 0;
    for await (const datasource of client.datasources.list({ datastoreId, limit: DATASOURCES_PER_PAGE })) {
      const { id, status, error } = datasource;
      if (id < oldest) break;
      listed += 1;
      if (!unfinished.has(id)) continue;
      if (status === 'synched') synched.set(id, datasource);
      // With an error, the first run was cancelled.
      else if (status === 'running' || (status === 'unsynched' && !error)) inProgress.add(id);
    }
    unfinished = inProgress;
    onProgress(ids.length - unfinished.size);
    if (unfinished.size === 0) return synched;
    await sleep(
      pauseMs * Math.ceil((listed + 1) / DATASOURCES_PER_PAGE),
      undefined,
      signal ? { signal } : {},
    );
  }
}

const BATCH_SIZE = 1_000;

/**
 * Sends items in batches.
 *
 * @returns for each item, the datasource or the reason why it was refused
 * @throws CitewellError if a batch is refused as a whole
 */
export async function sendItems(
  client: Citewell,
  datastoreId: string,
  items: readonly DatasourceItem[],
): Promise<(Accepted | CitewellError)[]> {
  const results: BatchItemResult[] = [];
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch = { datastoreId, items: items.slice(start, start + BATCH_SIZE) };
    results.push(...(await client.datasources.createBatch(batch, sendOnce())).items);
  }
  return results.map((result, index) => {
    if ('error' in result) return new CitewellError(result.error, result.message);
    const item = items[index];
    return { ...result, name: item?.name ?? urlOf(item) };
  });
}

/** The name that the API gives to a page without one. */
function urlOf(item: DatasourceItem | undefined): string {
  return item?.type === 'web_page' ? item.config.source_url : '';
}
