import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A constant with words, a pattern, or words by language. */
const CONSTANT =
  /(?<=\bconst )([A-Z_]+)( = )(words\(`[^`]*`\)|`[^`]*`|new Set\(\[[^\]]*\]\)|\{\n(?: {4}\w+: (?:`[^`]*`|''|\w+),?\n)+\}|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)/g;
const SHORTEST = 60;

/** The lists of words and patterns of a compiled module, with their bytes. Short ones are marks, not lists. */
export function wordLists(path: string): { name: string; bytes: number }[] {
  return Array.from(readFileSync(path, 'utf8').matchAll(CONSTANT), ([, name = '', , value = '']) => ({
    name,
    bytes: Buffer.byteLength(value),
  })).filter(({ bytes }) => bytes >= SHORTEST);
}

/**
 * Empties a list of each module whose URL ends with `end`, while it is loaded. Call it before the module is imported; a process
 * loads a module once.
 */
export function emptyWordList(end: string, list: string): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(end)) return loaded;
      const source = readFileSync(fileURLToPath(url), 'utf8');
      return {
        ...loaded,
        source: source.replace(CONSTANT, (whole, name: string, is: string, value: string) =>
          name === list ? `${name}${is}${emptied(value)}` : whole,
        ),
      };
    },
  });
}

/** A list without its words: a pattern that matches nothing. */
function emptied(value: string): string {
  if (value.startsWith('words(')) return 'words(``)';
  if (value.startsWith('`')) return '``';
  if (value.startsWith('new Set(')) return 'new Set()';
  if (value.startsWith('{'))
    return value.replaceAll(/`[^`]*`|: \w+(?=,?\n)/g, (text) =>
      text.startsWith('`') ? '``' : ': undefined',
    );
  return `/(?!)/${/[a-z]*$/.exec(value)?.[0] ?? ''}`;
}
