import { property } from './property.js';
import { withoutSecrets } from './without-secrets.js';

/** Longest sentence of a provider, in UTF-16 code units. */
const MAX_LENGTH = 400;
/** Characters of an answer that are read: a page of a proxy says early what is wrong. */
const MAX_READ = 10_000;
/** Longest sentence as it came, in UTF-16 code units. What is removed from it is found in milliseconds. */
const MAX_RAW_LENGTH = 2_000;
/** Text of the prompt that is this long is removed. Shorter pieces are words of any language. */
const PROMPT_PIECE = 16;
const REMOVED = '…';
/** Keys of the providers. */
const KEY = /\b(?:sk|pk|rk|gsk|xai|api|key|Bearer|AIza)[-_\s]?[\w\-*.]{10,}/gi;
/** What else may be a key, if it has a letter and a digit. */
const LONG_WORD = /[\w-]{24,}/g;
const LETTER = /[a-z]/i;
const DIGIT = /\d/;
const KEYS = ['message', 'msg', 'detail', 'error', 'error_description', 'errors', 'title'];

/** The first sentence in the body of an error: JSON of any provider, or text. Not yet safe to show. */
export function sentenceIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return oneLine(withoutTags(body.slice(0, MAX_READ)));
  }
  return oneLine(findSentence(value, 0) ?? '');
}

/** The text of a page, without scripts and styles. */
function withoutTags(page: string): string {
  const lowerCase = page.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let text = '';
  let at = 0;
  for (let tag = page.indexOf('<'); tag >= 0; tag = page.indexOf('<', at)) {
    const name = ['script', 'style'].find((known) => lowerCase.startsWith(known, tag + 1));
    const last = name === undefined ? tag : lowerCase.indexOf(`</${name}`, tag);
    const end = last < 0 ? -1 : page.indexOf('>', last);
    // A `<` without a tag is text. A script without an end is removed.
    if (end < 0) return text + page.slice(at, name === undefined ? undefined : tag);
    text += `${page.slice(at, tag)} `;
    at = end + 1;
  }
  return text + page.slice(at);
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
 * prompt. The sentence is truncated after that, because half of a key is not found.
 */
export function safeSentence(
  sentence: string,
  { secrets, prompts }: { secrets: readonly string[]; prompts: readonly string[] },
): string {
  let safe = withoutSecrets(sentence, secrets);
  for (const prompt of prompts.map((text) => text.trim()))
    if (prompt.length >= 4) safe = safe.replaceAll(prompt, REMOVED);
  safe = safe
    .replace(KEY, REMOVED)
    .replace(LONG_WORD, (word) => (LETTER.test(word) && DIGIT.test(word) ? REMOVED : word))
    .slice(0, MAX_LENGTH * 2);
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
  return text.slice(0, MAX_RAW_LENGTH).replace(/\s+/g, ' ').trim();
}
