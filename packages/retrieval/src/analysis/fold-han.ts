import characters from 'opencc-js/dict/TSCharacters';

/** From the data of OpenCC. */
const SIMPLIFIED_BY_TRADITIONAL = new Map(
  characters.split('|').map((pair): [string, string] => {
    const [traditional = '', simplified = ''] = pair.split(' ');
    return [traditional, simplified];
  }),
);

const TRADITIONAL_CHARACTER = new RegExp(`[${[...SIMPLIFIED_BY_TRADITIONAL.keys()].join('')}]`, 'gu');

/** Replaces Traditional Chinese characters by Simplified ones, one by one: for comparison, not for reading. */
export function foldHan(text: string): string {
  return text.replace(
    TRADITIONAL_CHARACTER,
    (character) => SIMPLIFIED_BY_TRADITIONAL.get(character) ?? character,
  );
}
