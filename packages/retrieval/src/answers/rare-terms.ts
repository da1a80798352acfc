import { analyze } from '../analysis/analyzer.js';
import { sentencesOf } from '../analysis/sentence-window.js';

/**
 * Weighs the terms of a question by how rare they are in the sentences of the passages: a term that most sentences have
 * does not tell which of them answers. The rarest terms keep their weight.
 *
 * @param terms with their weights
 */
export function weighByRarity(
  terms: ReadonlyMap<string, number>,
  passages: readonly { readonly text: string }[],
): Map<string, number> {
  const counts = new Map<string, number>();
  let sentences = 0;
  for (const { text } of passages) {
    for (const { start, end } of sentencesOf(text)) {
      sentences += 1;
      for (const term of new Set(analyze(text.slice(start, end))))
        if (terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  const rarity = (count: number): number => Math.log(1 + sentences / count) / Math.log(1 + sentences);
  return new Map(
    Array.from(
      terms,
      ([term, weight]) => [term, weight * rarity(Math.max(1, counts.get(term) ?? 0))] as const,
    ),
  );
}
