import { Citewell, type FileToUpload, NotFoundError, type UploadProgress } from '@citewell/sdk';

/** What happened, for a comparison between runtimes. */
export interface ScenarioResult {
  /** Whether the reported bytes grew up to the total. */
  hasProgress: boolean;
  /** The text of a file that was uploaded as a stream. */
  streamText: string;
  passage: string;
  /** Whether the texts of the streamed answer make up the answer. */
  isAnswerComplete: boolean;
  /** The reasons with which aborted calls ended. */
  aborts: string[];
  /** The classes and codes of errors, of a request and of an upload with progress. */
  errors: string[];
}

/**
 * Uses the SDK as a program does: upload with progress, wait, query, stream, abort, error. It uses nothing of Node, so
 * that it runs everywhere.
 *
 * @param file contains the sentence "The mast is eleven metres high."
 */
export async function runScenario(
  options: { baseUrl: string; apiKey: string },
  file: FileToUpload,
): Promise<ScenarioResult> {
  const client = new Citewell(options);
  const { id: datastoreId } = await client.datastores.create({ name: 'Runtimes' });

  const seen: UploadProgress[] = [];
  const onProgress = (progress: UploadProgress): void => void seen.push(progress);
  const uploaded = await client.datasources.upload({ datastoreId, ...file }, { onProgress });
  await client.datasources.waitUntilSynched(uploaded.id);

  const bytes = new Blob(['The anchor ', 'is red.']).stream();
  const streamed = await client.datasources.upload({ datastoreId, file: bytes, fileName: 'anchor.txt' });
  await client.datasources.waitUntilSynched(streamed.id);

  const query = 'How high is the mast?';
  const [passage] = await client.datastores.query(datastoreId, { query, topK: 1 });
  const agent = await client.agents.create({ name: 'Reader', datastoreIds: [datastoreId] });
  let [text, answer] = ['', ''];
  for await (const event of client.agents.stream(agent.id, { query })) {
    if (event.type === 'text') text += event.text;
    else ({ answer } = event.response);
  }

  const answerAbort = new AbortController();
  const answering = client.agents.stream(agent.id, { query }, { signal: answerAbort.signal }).next();
  answerAbort.abort(new Error('enough of the answer'));
  const aborts = [await failureOf(answering)];
  const uploadAbort = new AbortController();
  const uploading = client.datasources.upload(
    { datastoreId, ...file },
    {
      signal: uploadAbort.signal,
      onProgress: () => uploadAbort.abort(new Error('enough of the upload')),
    },
  );
  aborts.push(await failureOf(uploading));

  const result = {
    hasProgress: isGrowing(seen),
    streamText: (await client.datasources.text(streamed.id)).text,
    passage: passage?.text ?? '',
    isAnswerComplete: text !== '' && text === answer,
    aborts,
    errors: [
      await failureOf(client.datasources.get('missing')),
      await failureOf(client.datasources.upload({ datastoreId: 'missing', ...file }, { onProgress })),
    ],
  };
  await client.datastores.delete(datastoreId);
  await client.agents.delete(agent.id);
  return result;
}

function isGrowing(seen: readonly UploadProgress[]): boolean {
  const last = seen.at(-1);
  const isSorted = seen.every(({ sentBytes }, index) => sentBytes >= (seen[index - 1]?.sentBytes ?? 0));
  return isSorted && last !== undefined && last.sentBytes === last.totalBytes;
}

async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    if (error instanceof NotFoundError) return `NotFoundError ${error.code}`;
    return String(error);
  }
}
