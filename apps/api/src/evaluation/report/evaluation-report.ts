import {
  EVALUATION_MEASURES,
  type EvaluationConfiguration,
  type EvaluationMeasure,
  type EvaluationOutcome,
  type EvaluationSideResult,
  type EvaluationWithResult,
} from '@citewell/contracts/schemas';
import { type Html, html } from '../../http/html.js';
import { intervalPlot, minimumScorePlot, type PlottedInterval } from './plots.js';

/** Colours that can be told apart in print, and by people who are colour-blind. */
const STYLE = `
:root { color-scheme: light; --one: #1c5cab; --two: #b5541c; --good: #1f6b33; --bad: #a32020; --line: #c9ced6; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2129; background: #fff; }
h1, h2 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
td:first-child { max-width: 30rem; }
.figures td { white-space: nowrap; }
.scroll { overflow-x: auto; }
.note { color: #555c68; font-size: .88rem; }
.verdict { font-weight: 600; }
.worse, .wrong { color: var(--bad); }
.better, .right { color: var(--good); }
svg { width: 100%; max-width: 44rem; height: auto; font-size: 13px; }
svg line { stroke-width: 2; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: #555c68; stroke-dasharray: 4; stroke-width: 1; }
svg .axis { fill: #555c68; font-size: 12px; }
svg polyline { fill: none; stroke-width: 2; }
svg .configuration, svg .difference { stroke: var(--one); fill: var(--one); }
svg .baseline { stroke: var(--two); fill: var(--two); }
svg .refused { stroke: var(--two); }
svg .recognised { stroke: var(--one); }
span.configuration, span.recognised { color: var(--one); }
span.baseline, span.refused { color: var(--two); margin-inline-start: 1em; }
span.refused { margin-inline-start: 0; }
span.recognised { margin-inline-start: 1em; }
summary { cursor: pointer; }
ol { padding-inline-start: 1.4rem; }
`;

const MEASURES: Readonly<Record<EvaluationMeasure, string>> = {
  recallAt1: 'Recall at 1',
  recallAt3: 'Recall at 3',
  recallAt10: 'Recall at 10',
  mrr: 'MRR',
  ndcgAt10: 'nDCG at 10',
  citedRight: 'Cited correctly',
  wronglyRefused: 'Wrongly refused',
  recognised: 'Unanswerable recognised',
};

const VERDICTS = {
  worse: 'The configuration is significantly worse than the baseline.',
  better: 'The configuration is significantly better than the baseline.',
  'no-difference': 'There is no significant difference to the baseline.',
} as const;

type Result = NonNullable<EvaluationWithResult['result']>;

/** A report as one HTML file, with its plots as SVG, and without scripts. */
export function evaluationReport(evaluation: EvaluationWithResult): string {
  const { name, questions, result, outcomes, configuration, baseline, finishedAt, createdAt } = evaluation;
  const body = result
    ? html`${summary(result)} ${minimumScore(result.configuration)} ${questionTable(outcomes)}`
    : html`<p>The evaluation is not done.</p>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${name}</h1>
        <p>
          ${questions} questions, ${(finishedAt ?? createdAt).slice(0, 10)}. Configuration:
          ${describe(configuration)}.${baseline ? html` Baseline: ${describe(baseline)}.` : ''}
        </p>
        ${body}
      </body>
    </html> `.text;
}

function describe({ agentId, datastoreId, topK, minScore }: EvaluationConfiguration): string {
  return [
    agentId === undefined ? `datastore ${datastoreId}` : `agent ${agentId}`,
    ...(topK === undefined ? [] : [`topK ${topK}`]),
    ...(minScore === undefined ? [] : [`minScore ${minScore}`]),
  ].join(', ');
}

function summary({ configuration, baseline, comparison }: Result): Html {
  const rows = EVALUATION_MEASURES.map(
    (measure) =>
      html`<tr>
        <th scope="row">${MEASURES[measure]}</th>
        <td>${interval(configuration.measures[measure])}</td>
        ${baseline ? html`<td>${interval(baseline.measures[measure])}</td>` : ''}
        ${comparison ? difference(comparison.differences[measure]) : ''}
      </tr>`,
  );
  return html`<h2>Figures</h2>
    ${comparison ? html`<p class="verdict ${comparison.verdict}">${VERDICTS[comparison.verdict]}</p>` : ''}
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>Measure</th>
            <th>Configuration</th>
            ${baseline ? html`<th>Baseline</th>` : ''}
            ${
              comparison
                ? html`<th>Difference</th>
                    <th>p</th>
                    <th>Better, worse</th>`
                : ''
            }
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    <p class="note">
      With 95 % intervals and the number of questions. Less is better for “wrongly refused”.
      ${
        comparison
          ? 'The difference is computed question by question. nDCG at 10, cited right, wrongly refused and unanswerable recognised are tested together; an asterisk marks a significant difference.'
          : ''
      }
    </p>
    ${missingDocuments(configuration)}
    ${intervalPlot('Measures with intervals', plottedMeasures(configuration, baseline), [0, 1])}
    ${baseline ? html`<p class="note"><span class="configuration">●</span> configuration <span class="baseline">●</span> baseline</p>` : ''}`;
}

function missingDocuments({ missingDocuments: { count, names } }: EvaluationSideResult): Html {
  if (count === 0) return html``;
  return html`<p class="wrong">
    ${count} expected document(s) are not in the searched datastores, and count as not found:
    ${names.join(', ')}
  </p>`;
}

function plottedMeasures(
  configuration: EvaluationSideResult,
  baseline: EvaluationSideResult | null,
): PlottedInterval[] {
  return EVALUATION_MEASURES.flatMap((measure) =>
    (['configuration', 'baseline'] as const).flatMap((series) => {
      const estimate = (series === 'configuration' ? configuration : baseline)?.measures[measure];
      return estimate
        ? [{ label: series === 'configuration' ? MEASURES[measure] : '', series, ...estimate }]
        : [];
    }),
  );
}

function interval(estimate: EvaluationSideResult['measures'][EvaluationMeasure]): string {
  if (!estimate) return '–';
  const { value, low, high, count } = estimate;
  return `${three(value)} (${three(low)} – ${three(high)}), ${count}`;
}

function difference(one: NonNullable<Result['comparison']>['differences'][EvaluationMeasure]): Html {
  if (!one)
    return html`<td>–</td>
      <td></td>
      <td></td>`;
  const { value, low, high, p, better, worse, isSignificant } = one;
  const sign = value > 0 ? '+' : '';
  return html`<td>${sign}${three(value)} (${three(low)} – ${three(high)})${isSignificant ? ' *' : ''}</td>
    <td>${p < 0.001 ? '< 0.001' : three(p)}</td>
    <td>${better}, ${worse}</td>`;
}

function minimumScore(side: EvaluationSideResult): Html {
  const { proposedMinScore: proposed } = side;
  return html`<h2>Minimum score</h2>
    <p>
      ${
        proposed
          ? `Proposed: ${proposed.minScore}. It would refuse ${percent(proposed.refused)} of the questions with an answer, and ${percent(proposed.recognised)} of those without one. It was chosen on these questions, so others do a little worse.`
          : 'No minimum score is proposed: that takes 20 questions with an answer and 10 without one.'
      }
    </p>
    ${minimumScorePlot(side)}
    <p class="note">
      <span class="refused">●</span> questions with an answer that are refused
      <span class="recognised">●</span> questions without an answer that are recognised
    </p>`;
}

function questionTable(outcomes: EvaluationWithResult['outcomes']): Html {
  const hasBaseline = outcomes.some(({ baseline }) => baseline !== null);
  const sorted = outcomes.toSorted((one, other) => urgency(other) - urgency(one));
  return html`<h2>Questions</h2>
    <p class="note">Lost questions first, then those that fail.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Question</th>
            <th>Configuration</th>
            ${hasBaseline ? html`<th>Baseline</th>` : ''}
            <th>Score</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map(
            ({ question, answerable, configuration, baseline }) =>
              html`<tr>
                <td dir="auto">${details(question, answerable, configuration)}</td>
                <td class="${isRight(configuration) ? 'right' : 'wrong'}">${inWords(configuration)}</td>
                ${
                  hasBaseline
                    ? html`<td class="${baseline && isRight(baseline) ? 'right' : 'wrong'}">
                        ${baseline ? inWords(baseline) : ''}
                      </td>`
                    : ''
                }
                <td>${three(configuration.score)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function details(question: string, answerable: boolean, { passages, answer }: EvaluationOutcome): Html {
  return html`<details>
    <summary>${question}${answerable ? '' : ' (no answer)'}</summary>
    ${answer === undefined ? '' : html`<p dir="auto">${answer}</p>`}
    <ol>
      ${passages.map(
        ({ datasource_name, score, text, right }) =>
          html`<li dir="auto">
            <b>${datasource_name}</b> ${three(score)}${right ? ', right' : ''}<br />${text}
          </li>`,
      )}
    </ol>
  </details>`;
}

/** Of a question, whether the answer is right; without an answer, whether a right passage is the first. */
function isRight({ values }: EvaluationOutcome): boolean {
  if (values.recognised !== undefined) return values.recognised === 1;
  return values.wronglyRefused !== 1 && (values.citedRight ?? values.recallAt1 ?? 0) > 0;
}

/** Questions that only the baseline answers come first, then others that fail. */
function urgency({ configuration, baseline }: EvaluationWithResult['outcomes'][number]): number {
  if (isRight(configuration)) return 0;
  return baseline && isRight(baseline) ? 2 : 1;
}

function inWords({ values, rank, refused }: EvaluationOutcome): string {
  if (values.recognised !== undefined) return refused ? 'recognised' : 'answered';
  const place = rank === null ? 'not found' : `found at ${rank}`;
  const cited = values.citedRight === undefined ? '' : values.citedRight === 1 ? ', cited' : ', not cited';
  return refused ? `refused, ${place}` : `${place}${cited}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function three(value: number): string {
  return value.toFixed(3).replace('-', '−');
}
