import type { ChatProvider } from './chat-providers.js';
import { property } from './property.js';

/** Frames that LangChain reads wrongly. Others are passed on as they are. */
const SPECIAL = /"content":\s*\[|"refusal":\s*"|"blockReason"|"finish_reason":\s*"/;
const DATA = 'data:';

/**
 * Rewrites the frames of a stream of server-sent events that LangChain would drop:
 * - content that is a list of parts, as reasoning models of Mistral and of vLLM send it: the text parts are kept,
 * - the refusal of a model of OpenAI, which becomes the text of the answer,
 * - the last frame of a server without `delta`, and that of Mistral without usage,
 * - the reason for which Google blocks a prompt.
 */
export function withReadableFrames(provider: ChatProvider, response: Response): Response {
  if (!response.ok || !response.body || !(provider in REWRITES)) return response;
  const rewrite = REWRITES[provider];
  let incomplete = '';
  const readable = (line: string): string => {
    if (!rewrite || !line.startsWith(DATA) || !SPECIAL.test(line)) return line;
    const frame = parse(line.slice(DATA.length));
    return frame === null || !rewrite(frame) ? line : `${DATA} ${JSON.stringify(frame)}`;
  };
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      const end = text.lastIndexOf('\n');
      // A long line that arrives in small pieces is not read again with each of them.
      if (end < 0) return void (incomplete += text);
      const complete = (incomplete + text.slice(0, end)).split('\n');
      incomplete = text.slice(end + 1);
      controller.enqueue(complete.map((line) => `${readable(line)}\n`).join(''));
    },
    flush(controller) {
      if (incomplete !== '') controller.enqueue(readable(incomplete));
    },
  });
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(lines);
  return new Response(body.pipeThrough(new TextEncoderStream()), response);
}

/** Changes a frame. @returns false if it is left as it is */
type Rewrite = (frame: object) => boolean;

const REWRITES: Partial<Record<ChatProvider, Rewrite>> = {
  openai: rewriteChoice,
  azure: rewriteChoice,
  mistralai: rewriteChoice,
  'google-genai': (frame) => {
    const blocked = property(property(frame, 'promptFeedback'), 'blockReason');
    if (typeof blocked !== 'string' || property(frame, 'candidates') !== undefined) return false;
    const finishReason = 'PROHIBITED_CONTENT';
    Object.assign(frame, { candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason }] });
    return true;
  },
};

function rewriteChoice(frame: object): boolean {
  const choices = property(frame, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (typeof choice !== 'object' || choice === null) return false;
  const delta = property(choice, 'delta') ?? {};
  if (typeof delta !== 'object') return false;
  const [content, refusal] = [property(delta, 'content'), property(delta, 'refusal')];
  const isEnd = typeof property(choice, 'finish_reason') === 'string';
  const text = Array.isArray(content) ? textOfParts(content) : typeof content === 'string' ? content : '';
  Object.assign(delta, { content: text + (typeof refusal === 'string' ? refusal : '') });
  if (typeof refusal === 'string' && refusal !== '') Object.assign(choice, { finish_reason: 'refusal' });
  Object.assign(choice, { delta });
  if (isEnd && !property(frame, 'usage'))
    Object.assign(frame, { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } });
  return true;
}

function textOfParts(parts: readonly unknown[]): string {
  return parts
    .filter((part) => property(part, 'type') === 'text')
    .map((part) => property(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function parse(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : null;
  } catch {
    // The client reports it.
    return null;
  }
}
