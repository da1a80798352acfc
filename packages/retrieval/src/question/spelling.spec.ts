import { expect, it } from '@jest/globals';
import { analyze } from '../analysis/analyzer.js';
import { termId } from '../sparse/sparse-encoder.js';
import { AnalyzedQuestion } from './analyzed-question.js';
import { corrected, nearestSpellings, unknownWords } from './spelling.js';

const TEXTS = [
  'Staff have 28 days of paid vacation.',
  'The VPN gateway listens on a port.',
  'A hotel night is refunded.',
  'Die Kündigungsfrist beträgt drei Monate.',
];

it.each<[asked: string, searched: string]>([
  ['How many vacaton days?', 'How many vacation days?'],
  ['How many vaction days?', 'How many vacation days?'],
  ['Which port does the VNP have?', 'Which port does the VPN have?'],
  ['Is a hotel nihgt refunded?', 'Is a hotel night refunded?'],
  ['Wie lang ist die Kündigungfrist?', 'Wie lang ist die Kündigungsfrist?'],
  // Another word, and no error: it has no other word of the question with it.
  ['Who paints the walls?', 'Who paints the walls?'],
  ['Which past?', 'Which past?'],
  ['How many holidays?', 'How many holidays?'],
])('searches %j as %j', (asked, searched) => {
  const passages = TEXTS.map((text) => ({ text, terms: [...new Set(analyze(text))].map(termId) }));
  const question = new AnalyzedQuestion(asked);
  const unknown = unknownWords(question, new Set(passages.flatMap(({ terms }) => terms)));
  const corrections = nearestSpellings(unknown, question, passages);
  expect(corrected(question, corrections).text).toBe(searched);
});
