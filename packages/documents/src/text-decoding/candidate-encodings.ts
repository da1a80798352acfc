import type { PairLanguage } from './language-pairs.js';

/** An encoding of one byte for each character, with the languages that are written in it. */
export interface SingleByteCandidate {
  /** As iconv-lite and the metadata of a document name it. */
  readonly name: string;
  readonly languages: readonly PairLanguage[];
  /** How much rarer files in this encoding are, as a negative natural logarithm. */
  readonly rarity: number;
}

const WESTERN = ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'no', 'fi', 'is', 'ca'] as const;
const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de'] as const;

/** The more frequent ones first: of equal texts, the first candidate wins. */
export const SINGLE_BYTE_CANDIDATES: readonly SingleByteCandidate[] = [
  { name: 'windows-1252', languages: WESTERN, rarity: 0 },
  { name: 'windows-1250', languages: CENTRAL, rarity: 1 },
  { name: 'windows-1251', languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be'], rarity: 1 },
  { name: 'windows-1253', languages: ['el'], rarity: 1.5 },
  { name: 'windows-1254', languages: ['tr'], rarity: 1.5 },
  { name: 'windows-1255', languages: ['he'], rarity: 1.5 },
  { name: 'windows-1256', languages: ['ar', 'fa', 'ur'], rarity: 1.5 },
  { name: 'windows-1257', languages: ['lt', 'lv', 'et'], rarity: 1.5 },
  { name: 'windows-874', languages: ['th'], rarity: 1.5 },
  { name: 'windows-1258', languages: ['vi'], rarity: 2 },
  { name: 'koi8-r', languages: ['ru'], rarity: 2 },
  { name: 'koi8-u', languages: ['uk'], rarity: 2.5 },
  { name: 'iso-8859-2', languages: CENTRAL, rarity: 3 },
  { name: 'iso-8859-5', languages: ['ru', 'bg', 'sr', 'mk', 'be'], rarity: 3 },
  { name: 'iso-8859-6', languages: ['ar', 'fa'], rarity: 3 },
  { name: 'iso-8859-7', languages: ['el'], rarity: 3 },
  { name: 'iso-8859-8', languages: ['he'], rarity: 3 },
  { name: 'iso-8859-9', languages: ['tr'], rarity: 3 },
  { name: 'iso-8859-13', languages: ['lt', 'lv', 'et'], rarity: 3 },
  { name: 'iso-8859-4', languages: ['lt', 'lv', 'et'], rarity: 6 },
  { name: 'iso-8859-16', languages: ['ro'], rarity: 7 },
  { name: 'cp866', languages: ['ru', 'uk'], rarity: 3 },
  { name: 'macroman', languages: WESTERN, rarity: 4 },
  { name: 'cp850', languages: WESTERN, rarity: 4 },
  { name: 'cp437', languages: ['de', 'fr', 'es', 'it', 'sv', 'fi'], rarity: 4.5 },
  { name: 'cp852', languages: CENTRAL, rarity: 5 },
  { name: 'cp855', languages: ['ru', 'bg', 'sr', 'mk'], rarity: 5 },
  { name: 'maccyrillic', languages: ['ru', 'uk', 'bg', 'sr', 'mk'], rarity: 7 },
  { name: 'maccenteuro', languages: CENTRAL, rarity: 5 },
  { name: 'cp857', languages: ['tr'], rarity: 5 },
  { name: 'cp737', languages: ['el'], rarity: 5 },
  { name: 'cp862', languages: ['he'], rarity: 5 },
];
