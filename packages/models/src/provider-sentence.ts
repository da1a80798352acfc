import { property } from './property.js';

/** Longest sentence of a provider, in UTF-16 code units. */
const MAX_LENGTH = 400;
/** A page of a proxy says early what is wrong. */
const MAX_READ = 10_000;
/** Text of the prompt that is this long is removed. Shorter pieces are words of any language. */
const PROMPT_PIECE = 16;
const REMOVED = '…';
/** Keys of the providers, and what else looks like one. */
const KEY_LIKE =
  /\b(?:sk|pk|rk|gsk|xai|api|key|Bearer|AIza)[-_\s]?[\w\-*.]{10,}|\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}\b/gi;
const KEYS = ['message', 'msg', 'detail', 'error', 'error_description', 'errors', 'title'];

/** The first sentence in the body of an error: JSON of any provider, or text. Not yet safe to show. */
export function sentenceIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return oneLine(body.slice(0, MAX_READ).replace(/<(script|style)[^]*?<\/\1>|<[^>]*>/gi, ' '));
  }
  return oneLine(findSentence(value, 0) ?? '');
}

function findSentence(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.startsWith('{') ? sentenceIn(value) : value;
  if (depth > 6 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return sentencesOf(value, depth);
  for (const key of KEYS) {
    const found = property(value, key);
    const sentence = found === undefined || found === null ? undefined : findSentence(found, depth + 1);
    if (sentence !== undefined && sentence !== '') return sentence;
  }
  return undefined;
}

/** The errors of a validation, each with its field (FastAPI, Mistral). */
function sentencesOf(values: readonly unknown[], depth: number): string {
  return values
    .slice(0, 3)
    .map((value) => {
      const path = property(value, 'loc');
      const field = Array.isArray(path) ? `${path.join('.')}: ` : '';
      return field + (findSentence(value, depth + 1) ?? '');
    })
    .join('; ');
}

/**
 * Makes the sentence of a provider safe for logs: without the key, without what looks like a key, and without text of the
 * prompt.
 */
export function safeSentence(
  sentence: string,
  { secrets, prompts }: { secrets: readonly string[]; prompts: readonly string[] },
): string {
  let safe = sentence.slice(0, MAX_LENGTH * 2);
  for (const secret of [...secrets, ...prompts.map((prompt) => prompt.trim())])
    if (secret.length >= 4) safe = safe.replaceAll(secret, REMOVED);
  safe = safe.replace(KEY_LIKE, REMOVED);
  const quoted = prompts.join('\n');
  for (let at = 0; at + PROMPT_PIECE <= safe.length; at += 1) {
    let length = PROMPT_PIECE;
    if (!quoted.includes(safe.slice(at, at + length))) continue;
    while (at + length < safe.length && quoted.includes(safe.slice(at, at + length + 1))) length += 1;
    safe = safe.slice(0, at) + REMOVED + safe.slice(at + length);
  }
  const short = safe.length <= MAX_LENGTH ? safe : `${safe.slice(0, MAX_LENGTH)}…`;
  return short.toWellFormed();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
