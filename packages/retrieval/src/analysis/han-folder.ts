import characters from 'opencc-js/dict/TSCharacters';

/** Simplified characters by Traditional ones, from the data of OpenCC. */
const SIMPLIFIED = new Map(
  characters.split('|').map((pair): [string, string] => {
    const [traditional = '', simplified = ''] = pair.split(' ');
    return [traditional, simplified];
  }),
);

const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join('')}]`, 'gu');

/** Replaces Traditional Chinese characters by Simplified ones, one by one: for comparison, not for reading. */
export function foldHan(text: string): string {
  return text.replace(TRADITIONAL, (character) => SIMPLIFIED.get(character) ?? character);
}
