import type { EvaluationOutcome, EvaluationWithResult } from '@citewell/contracts/schemas';
import { compareSides, summarizeSide } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import { evaluationReport } from './evaluation-report.js';

const outcome = (isHit: boolean, text = 'Two years.'): EvaluationOutcome => ({
  rank: isHit ? 1 : null,
  score: isHit ? 0.9 : 0.2,
  refused: !isHit,
  values: {
    recallAt1: isHit ? 1 : 0,
    recallAt3: isHit ? 1 : 0,
    recallAt10: isHit ? 1 : 0,
    mrr: isHit ? 1 : 0,
    ndcgAt10: isHit ? 1 : 0,
    citedRight: isHit ? 1 : 0,
    wronglyRefused: isHit ? 0 : 1,
  },
  passages: [{ datasource_id: 'd', datasource_name: 'Manual', score: 0.9, text, right: isHit }],
  answer: 'Two years [1].',
});

function evaluation(
  own: readonly EvaluationOutcome[],
  others: readonly EvaluationOutcome[] | null,
): EvaluationWithResult {
  const side = (outcomes: readonly EvaluationOutcome[]) => ({
    ...summarizeSide({ outcomes, minScore: 0.5 }),
    missingDocuments: { count: 1, names: ['gone.md'] },
  });
  return {
    id: 'e',
    name: 'Set <1>',
    state: 'done',
    configuration: { agentId: 'a' },
    baseline: others && { agentId: 'b', minScore: 0.7 },
    questions: own.length,
    done: own.length,
    total: own.length,
    error: null,
    createdAt: '2026-03-02T09:30:00.000Z',
    finishedAt: '2026-03-03T09:30:00.000Z',
    result: {
      configuration: side(own),
      baseline: others && side(others),
      comparison: others && compareSides(own, others),
    },
    outcomes: own.map((configuration, index) => ({
      question: `Question ${index}`,
      answerable: true,
      configuration,
      baseline: others?.[index] ?? null,
    })),
  };
}

describe('the report of an evaluation', () => {
  it('has the figures with intervals, and no baseline if there is none', () => {
    const report = evaluationReport(evaluation([outcome(true), outcome(false)], null));
    expect(report).toMatch(/Recall at 1<\/th>\s*<td>0\.500 \(0\.000 – 1\.000\), 2<\/td>/);
    expect(report).not.toContain('Baseline');
    expect(report).toContain('No minimum score is proposed');
    expect(report).toMatch(/1 expected document\(s\)[^<]*gone\.md/);
  });

  it('shows the verdict, and first the questions that only the baseline answers', () => {
    const hits = Array.from({ length: 12 }, () => outcome(true));
    const losses = hits.map((_, index) => outcome(index < 2));
    const report = evaluationReport(evaluation(losses, hits));
    expect(report).toContain('significantly worse than the baseline');
    expect(report.indexOf('Question 2<')).toBeLessThan(report.indexOf('Question 0<'));
    expect(report).toContain('−0.833');
  });

  it('shows texts of others as text', () => {
    const report = evaluationReport(evaluation([outcome(true, '<script>alert(1)</script>')], null));
    expect(report).not.toContain('<script');
    expect(report).toContain('&lt;script&gt;');
    expect(report).toContain('<h1>Set &lt;1&gt;</h1>');
  });

  it('loads nothing from elsewhere', () => {
    const report = evaluationReport(evaluation([outcome(true)], null));
    expect(report).not.toMatch(/src=|href=|url\(|@import/);
    expect(report).toContain('<svg');
  });
});
