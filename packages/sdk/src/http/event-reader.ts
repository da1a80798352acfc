import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { CitewellError } from '../citewell-error.js';

/** Maximum number of characters of one event. The server sends at most 100,000. */
const MAX_EVENT_LENGTH = 8_388_608;

/** A server-sent event. `event` is undefined if the event has no `event:` line. */
export type ServerEvent = Pick<EventSourceMessage, 'event' | 'data'>;

/**
 * Reads server-sent events (HTML Living Standard, section 9.2) from chunks of bytes. An incomplete event at
 * the end of the stream is dropped, as the standard requires.
 *
 * @throws {@link CitewellError} `INVALID_RESPONSE` if an event is longer than 8 Mi characters
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const ready = events;
    events = [];
    yield* ready;
    if (isTooLong)
      throw new CitewellError(
        'INVALID_RESPONSE',
        'The server sent an event that exceeds the maximum length.',
      );
  }
}
