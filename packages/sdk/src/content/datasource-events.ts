import { CitewellError } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import { parseJson } from '../http/parse-json.js';
import type { Datasource } from '@citewell/contracts';

/**
 * Reads the events of a datasource.
 *
 * @throws {@link CitewellError} `STREAM_INCOMPLETE` if the stream ends while a run is in progress,
 * `INVALID_RESPONSE` if an event is not valid JSON
 */
export async function* readDatasourceEvents(
  events: AsyncIterable<ServerEvent>,
): AsyncGenerator<Datasource, void, undefined> {
  let hasEnded = false;
  for await (const { event, data } of events) {
    if (event === 'deleted') return;
    if (event !== 'datasource') continue;
    const datasource = parseJson<Datasource>(data, 'An event of the datasource is not valid JSON.');
    yield datasource;
    hasEnded = datasource.progress === null;
  }
  if (!hasEnded)
    throw new CitewellError(
      'STREAM_INCOMPLETE',
      'The connection ended while the datasource was still being processed.',
    );
}
