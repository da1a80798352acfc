/**
 * Of candidates that answer a question equally well, those about the subject of the conversation: the newest earlier question
 * that tells some of them from others decides, then the one before it. All, if none does.
 *
 * @param sharesOf how much a candidate covers each earlier question, newest first; see `QuestionCoverage.earlierShares`
 */
export function ofSameSubject<T>(candidates: readonly T[], sharesOf: (one: T) => readonly number[]): T[] {
  let left = candidates.map((candidate) => ({ candidate, shares: sharesOf(candidate) }));
  const turns = left[0]?.shares.length ?? 0;
  for (let turn = 0; turn < turns && left.length > 1; turn += 1) {
    const most = Math.max(...left.map(({ shares }) => shares[turn] ?? 0));
    left = left.filter(({ shares }) => (shares[turn] ?? 0) >= most - TOLERANCE);
  }
  return left.map(({ candidate }) => candidate);
}

/** Shares are sums of floating-point numbers. */
const TOLERANCE = 1e-6;
