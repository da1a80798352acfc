import { CitewellError } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import type { Datasource } from '../wire.types.js';

/** Reads the events of a datasource. @throws {@link CitewellError} `STREAM_INCOMPLETE` when they break off */
export async function* readDatasourceEvents(
  events: AsyncIterable<ServerEvent>,
): AsyncGenerator<Datasource, void, undefined> {
  let hasEnded = false;
  for await (const { event, data } of events) {
    if (event === 'deleted') return;
    if (event !== 'datasource') continue;
    const datasource = parseDatasource(data);
    yield datasource;
    hasEnded = datasource.progress === null;
  }
  if (!hasEnded) throw new CitewellError('STREAM_INCOMPLETE', 'The events broke off before their end.');
}

function parseDatasource(data: string): Datasource {
  try {
    // The server made it of the type that `Datasource` is held equal to.
    return JSON.parse(data) as Datasource;
  } catch (error) {
    throw new CitewellError('INVALID_RESPONSE', 'An event could not be read.', { cause: error });
  }
}
