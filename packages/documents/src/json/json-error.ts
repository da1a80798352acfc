import { DocumentError } from '../document/document-error.js';

/** A token of JSON, or any other character, which is then an error. */
const TOKEN =
  /[\t\n\r ]+|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[{}[\],:]/uy;
const WORD = /[^\s,:{}[\]"]+|./uy;
const MAX_SHOWN = 30;

/** The error for a text that is not JSON. Its sentence names the line, the column and what is there. */
export function jsonError(text: string, cause: unknown): DocumentError {
  const at = errorOffset(text);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  WORD.lastIndex = at;
  const found = WORD.exec(text)?.[0].slice(0, MAX_SHOWN);
  const what = found === undefined ? 'the text ends too early' : `${JSON.stringify(found)} is not valid JSON`;
  return new DocumentError('CORRUPT_FILE', `line ${line}, column ${column}: ${what}`, {
    cause,
    userMessage: `Line ${line}, column ${column} of the file: ${what}. Correct it and upload the file again.`,
  });
}

/** The offset of the first token that may not be where it is. The length of the text if a token is missing. */
function errorOffset(text: string): number {
  const open: string[] = [];
  let expected: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing' =
    'value';
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    const first = token.charAt(0);
    if (/\s/.test(first)) continue;
    const isEnd = first === '}' || first === ']';
    if (isEnd) {
      if (!expected.endsWith('or end') || open.pop() !== (first === '}' ? '{' : '[')) return at;
    } else if (first === ',') {
      if (expected !== 'comma or end') return at;
      expected = open.at(-1) === '{' ? 'key' : 'value';
      continue;
    } else if (first === ':') {
      if (expected !== 'colon') return at;
      expected = 'value';
      continue;
    } else if (expected.startsWith('key')) {
      if (first !== '"') return at;
      expected = 'colon';
      continue;
    } else if (!expected.startsWith('value')) return at;
    else if (first === '{' || first === '[') {
      open.push(first);
      expected = first === '{' ? 'key or end' : 'value or end';
      continue;
    }
    expected = open.length === 0 ? 'nothing' : 'comma or end';
  }
  return text.length;
}
