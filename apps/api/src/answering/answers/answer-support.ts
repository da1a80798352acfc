import type { AnswerSentence } from '@citewell/contracts/schemas';
import {
  type AlignablePassage,
  type AlignedStatement,
  alignStatements,
  type AnalyzedQuestion,
  type FrameLabel,
  passageLabel,
  PASSAGES_LINE,
} from '@citewell/retrieval';

/** What the passages say about the answer of a model. */
export interface AnswerSupport {
  /** Absent if the answer cannot be compared with the passages. */
  readonly sentences?: AnswerSentence[];
  /** Passages that the model did not cite, and that support a sentence. Numbers from 1. */
  readonly added: ReadonlySet<number>;
  /** The answer with the added citations. */
  readonly annotated: string;
}

/**
 * Compares the sentences of an answer with the passages that they cite, and finds passages for those that cite none.
 *
 * @param notice a sentence of Citewell at the end of the answer, such as that the answer is incomplete
 * @param results what queries of tables gave, by the number of the passage that is cited for them; see `tableEvidence`
 */
export function supportOf(
  questions: readonly AnalyzedQuestion[],
  answer: string,
  passages: readonly AlignablePassage[],
  notice = '',
  results: ReadonlyMap<number, string> = new Map(),
): AnswerSupport {
  const written = answer.endsWith(notice) ? answer.slice(0, answer.length - notice.length) : answer;
  const alone = alignStatements(questions, written, passages);
  const withResults =
    results.size === 0
      ? null
      : alignStatements(
          questions,
          written,
          passages.map((passage, index) => ({ ...passage, results: results.get(index + 1) ?? '' })),
        );
  const statements = supportedByEither(withResults, alone);
  if (statements === null) return { added: new Set(), annotated: answer };
  const sentences = statements.map(({ start, end, supported, cited, added, contradiction, calculated }) => ({
    start,
    end,
    supported,
    citations: [
      ...[...new Set(cited)].map((number) => ({ number, added: false })),
      ...(added === null ? [] : [{ number: added, added: true }]),
    ],
    ...(contradiction === undefined ? {} : { contradiction }),
    ...(calculated.length > 0 ? { calculated: [...calculated] } : {}),
  }));
  const cited = new Set(statements.flatMap((statement) => statement.cited));
  const added = new Set(
    statements.flatMap((statement) => statement.added ?? []).filter((n) => !cited.has(n)),
  );
  let annotated = answer;
  for (const { end, added: number } of statements.toReversed())
    if (number !== null) annotated = `${annotated.slice(0, end)} [${number}]${annotated.slice(end)}`;
  return { sentences, added, annotated };
}

/** The statements of two comparisons of an answer, with what supports them in one of the two. */
function supportedByEither(
  first: AlignedStatement[] | null,
  second: AlignedStatement[] | null,
): AlignedStatement[] | null {
  if (first === null || second === null) return first ?? second;
  return first.map((statement, index) => {
    const other = second[index];
    return !statement.supported && other?.supported ? other : statement;
  });
}

/** Whether an answer states something that no passage supports, or neither states nor cites anything. */
export function isUnsupported({ sentences }: AnswerSupport): boolean {
  if (sentences === undefined) return false;
  return sentences.length === 0 || sentences.some(({ supported }) => !supported);
}

/** The lines of the prompt that a model may repeat. */
export function frameLines(question: string, passages: readonly FrameLabel[]): string[] {
  return [...passages.map(passageLabel), PASSAGES_LINE, `Question: ${question}`];
}
