import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ADDABLE_LANGUAGES,
  INCLUDED_LANGUAGES,
  type LanguageFiles,
  noteOf,
  withNote,
  wordsOf,
} from '@citewell/documents/recognition';

const DATA = /^([A-Za-z0-9_]+)\.traineddata(?:\.gz)?$/;
/** Words in a row that tell a language. */
const PART_WORDS = 5;
/** Parts in another language: of receipts in English, up to .13 have a word that another language has, too. */
const MIN_PARTS = 4;
const MIN_SHARE = 0.3;

/**
 * The language data that the product may use: of the configured languages, and what is in the folder. The configured ones
 * come first.
 */
export async function productLanguages(
  configured: readonly string[],
  folder: string | undefined,
): Promise<LanguageFiles> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const added = names.flatMap((name) => {
    const language = DATA.exec(name)?.[1];
    return language === undefined ? [] : [[language, join(folder ?? '', name)] as const];
  });
  const files: LanguageFiles = { ...Object.fromEntries(added), ...INCLUDED_LANGUAGES };
  const order = [...configured, ...added.map(([language]) => language)];
  return Object.fromEntries(
    [...new Set(order)].flatMap((name) => (files[name] === undefined ? [] : [[name, files[name]]])),
  );
}

/** Notes which language would read a page better, if the words that were read are of another language than its data. */
export async function withBetterLanguage(table: string): Promise<string> {
  const note = noteOf(table);
  const words = wordsOf(table);
  const starts = Array.from({ length: Math.trunc(words.length / PART_WORDS) }, (_, at) => at * PART_WORDS);
  if (note.unreadScripts !== undefined || starts.length < MIN_PARTS) return table;
  const { detectLanguage } = await import('@citewell/retrieval');
  const detected = starts.map((start) => detectLanguage(words.slice(start, start + PART_WORDS).join(' ')));
  const better = Object.entries(ADDABLE_LANGUAGES).find(([name, { tag }]) => {
    const parts = detected.filter((language) => language === tag).length;
    return parts >= MIN_PARTS && parts >= starts.length * MIN_SHARE && !note.languages.includes(name);
  });
  return better === undefined ? table : withNote(table, { ...note, betterLanguage: better[0] });
}
