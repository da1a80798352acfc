import { foldWord } from './word-folder.js';

/** Letters, digits or both: a part of an identifier. */
const PART = String.raw`(?:[A-Z]{1,4}\d{0,8}[A-Z]{0,3}|\d{1,8}[A-Z]{0,4}|[x×])`;
const MAX_PARTS = 5;
/** An identifier in several parts: `KX 200 B`, `M8 x 40`. One with hyphens is a single word, see `wordTerms`. */
const IDENTIFIER = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])${PART}(?:[ ./]${PART}){1,${MAX_PARTS - 1}}(?![\p{L}\p{N}]|[.,]\d)`,
  'gu',
);
const SEPARATORS = /[ ./]/;
const ASKED_PART = new RegExp(String.raw`^(?=\p{L}{0,3}(?:\d|$))${PART}$`, 'iu');
const MAX_WORDS = 60;

/** The identifiers that adjacent parts of a text can form, without the separators and in lower case. */
export function joinedIdentifiers(text: string): string[] {
  return (text.match(IDENTIFIER) ?? []).flatMap((found) => runsOf(found.split(SEPARATORS)).map(joined));
}

/** The identifiers that adjacent words of a question can form, by their parts. People also write them in lower case. */
export function askedIdentifiers(question: string): Map<string, string> {
  const words = question.split(/[\s./?!,;:-]+/u, MAX_WORDS);
  const found = new Map<string, string>();
  for (let start = 0; start < words.length; start += 1) {
    const end = words.findIndex((word, at) => at >= start && !ASKED_PART.test(word));
    const parts = words.slice(start, Math.min(end < 0 ? words.length : end, start + MAX_PARTS));
    for (const run of runsOf(parts)) found.set(run.join(' '), joined(run));
  }
  return found;
}

/** All runs of at least two parts that have a letter and a digit. */
function runsOf(parts: readonly string[]): string[][] {
  return parts.flatMap((_, first) =>
    parts
      .slice(first + 1)
      .map((__, at) => parts.slice(first, first + at + 2))
      .filter((run) => /\d/.test(run.join('')) && /[a-z]/i.test(run.join(''))),
  );
}

function joined(run: readonly string[]): string {
  return foldWord(run.join('').replaceAll('×', 'x'));
}
