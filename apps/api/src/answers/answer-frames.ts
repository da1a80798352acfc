/** Text of an `endpoint_response` frame at the most, in UTF-16 units: some clients read by lines into small buffers. */
const RESPONSE_FRAME_LENGTH = 16_384;

/** A lead that a client would take for the end of the stream, once white space around it is trimmed. */
const RESERVED = /^\s*\[(?=DONE\]\s*$|ERROR\])/;

export const PING_FRAME = ': ping\n\n';
export const DONE_FRAME = 'data: [DONE]\n\n';

/** An error after the stream opened. Its text must fit one line. */
export function errorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.replace(/\s+/g, ' ')}\n\n`;
}

/** The whole response, in frames whose data joined is its JSON. */
export function responseFrames(response: unknown): string {
  const json = JSON.stringify(response);
  let frames = '';
  for (let start = 0; start < json.length;) {
    let end = Math.min(start + RESPONSE_FRAME_LENGTH, json.length);
    if (isHighSurrogate(json, end - 1)) end -= 1;
    frames += eventFrames('endpoint_response', json.slice(start, end));
    start = end;
  }
  return frames;
}

/**
 * Frames the text of an answer as it arrives. Joining the data of all frames gives the whole text, which the
 * caller can also read from `text`.
 *
 * - CR and CRLF become LF; U+0000, which the database does not keep, is dropped, and so are newlines before the
 *   first other character.
 * - No frame begins with a newline: a widely used client drops those. So the last character that is not a newline
 *   is held back, with the newlines behind it, until more text or the end arrives.
 * - No frame ends inside a surrogate pair; a surrogate that stays alone becomes U+FFFD.
 * - No frame's data reads as `[DONE]` or begins with `[ERROR]`: such text is split after its bracket.
 */
export class AnswerFramer {
  private held = '';
  private endsInCarriageReturn = false;
  private framed = '';

  /** What has been framed so far. */
  get text(): string {
    return this.framed;
  }

  /** Takes a piece of the answer; returns the frames that can be sent, possibly none. */
  push(piece: string): string {
    this.held += this.normalise(piece);
    if (this.framed === '') this.held = this.held.replace(/^\n+/, '');
    const cut = lastVisible(this.held);
    const ready = this.held.slice(0, cut);
    this.held = this.held.slice(cut);
    return this.frame(ready);
  }

  /** Ends the answer and returns the last frames. */
  flush(): string {
    const rest = this.held;
    this.held = '';
    return this.frame(rest);
  }

  private frame(text: string): string {
    if (text === '') return '';
    const wellFormed = text.toWellFormed();
    this.framed += wellFormed;
    return eventFrames('answer', wellFormed);
  }

  /** A CR at the end of a piece may be half of a CRLF: its LF is written now, and a following LF dropped. */
  private normalise(piece: string): string {
    if (piece === '') return '';
    const text = this.endsInCarriageReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.endsInCarriageReturn = piece.endsWith('\r');
    return text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  }
}

/** Where the last code point that is not a newline begins; the length of the text when there is none. */
function lastVisible(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  if (end === 0) return 0;
  const isPair = isHighSurrogate(text, end - 2) && /[\uDC00-\uDFFF]/.test(text[end - 1] ?? '');
  return end - (isPair ? 2 : 1);
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** One frame, or two where the data would be taken for the stream's end. */
function eventFrames(event: string, data: string): string {
  const reserved = RESERVED.exec(data);
  if (!reserved) return eventFrame(event, data);
  const [lead] = reserved;
  return eventFrame(event, lead) + eventFrame(event, data.slice(lead.length));
}

/** Server-sent events, HTML Living Standard section 9.2: a `data` line for each line of the data. */
function eventFrame(event: string, data: string): string {
  return `event: ${event}\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
