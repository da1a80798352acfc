import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { progressBar } from '@citewell/infrastructure/progress-bar';
import type { Citewell, EvaluationConfiguration } from '@citewell/sdk';
import { connect } from '../connect.js';
import { defineCommand, wholeNumber } from '../define-command.js';
import { errorLine, EXIT_FAILED, UsageError } from '../describe-error.js';
import { fillFromBeir, readQuestionSet } from '../evaluation/question-set.js';
import { generateCsv } from '../evaluation/generate-csv.js';
import { printEvaluation } from '../evaluation/print-evaluation.js';
import { agentsOf, datastoresOf, findOnlyItem, requireByIdOrName } from '../named-collection.js';
import { print, printToStderr, showProgress } from '../terminal/output.js';

const USAGE = 'citewell eval <questions.csv | BEIR folder> [--agent <id or name> | --datastore <id or name>]';
const HELP = `Measures how well questions of your own are answered, with 95 % intervals, and proposes a minScore.
The columns of questions.csv: question; expected, a part of the text that answers it; document, its custom id, id, name
or address; answerable, "no" if there is no answer. A folder in the format of BEIR has queries.jsonl and qrels/test.tsv.
Without --agent and --datastore: the only agent. For a BEIR folder: a datastore with the name of the folder, which is
created and filled from corpus.jsonl.

  --agent <id or name>         ask this agent; each answer counts as an agent query
  --datastore <id or name>     search this datastore, without answers
  --top-k <n>                  number of passages, 1 to 100
  --min-score <n>              minimum score, 0 to 1
  --baseline <id or name>      compare with another agent, or another datastore, question by question
  --baseline-top-k <n>, --baseline-min-score <n>
                               compare with other settings
  --name <name>                name of the evaluation
  --report <file.html>         write a report with plots
  --json                       print the complete result as JSON
  --generate                   print draft questions about a datastore as CSV, from headings and FAQ entries, for you to
                               correct; --limit <n> limits their number, default 100

The exit code is 1 if the evaluation failed, or if the configuration is significantly worse than the baseline.`;

const OPTIONS = {
  agent: { type: 'string' },
  datastore: { type: 'string' },
  'top-k': { type: 'string' },
  'min-score': { type: 'string' },
  baseline: { type: 'string' },
  'baseline-top-k': { type: 'string' },
  'baseline-min-score': { type: 'string' },
  name: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean' },
  generate: { type: 'boolean' },
  limit: { type: 'string' },
} as const;

type Options = { readonly [Name in keyof typeof OPTIONS]?: string | boolean | undefined };
const DEFAULT_LIMIT = 100;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 1 } },
  async (options, [path]) => {
    const { agent, datastore, baseline, name, report, json: isJson = false, generate = false } = options;
    if (agent !== undefined && datastore !== undefined)
      throw new UsageError('Use either --agent or --datastore, not both.');
    const limit = wholeNumber('limit', options.limit, [1, 2_000]);
    if (generate) {
      if (path !== undefined)
        throw new UsageError('--generate prints the questions. Redirect them to a file.');
      const client = connect();
      const { id } = await chosenDatastore(client, datastore);
      process.stdout.write(await generateCsv(client, id, limit ?? DEFAULT_LIMIT));
      return 0;
    }
    if (limit !== undefined) throw new UsageError('--limit can only be used with --generate.');
    if (path === undefined)
      throw new UsageError(`<questions.csv | BEIR folder> is missing.\nUsage: ${USAGE}`);
    const own = settings(options, '');
    const other = settings(options, 'baseline-');
    const { isBeir, ...questions } = await readQuestionSet(path);
    const client = connect();
    const target =
      isBeir && agent === undefined && datastore === undefined
        ? { datastoreId: await fillFromBeir(client, path) }
        : await chosenTarget(client, agent, datastore);
    const hasBaseline = baseline !== undefined || Object.keys(other).length > 0;
    const baselineTarget = baseline === undefined ? target : await baselineOf(client, target, baseline);
    const { id } = await client.evaluations.create({
      name: name ?? basename(resolve(path)).slice(0, 255),
      configuration: { ...target, ...own },
      ...(hasBaseline ? { baseline: { ...baselineTarget, ...other } } : {}),
      ...questions,
    });
    const evaluation = await client.evaluations.waitUntilFinished(id, ({ done, total }) =>
      showProgress(`${progressBar((done / total) * 100)}  ${done} of ${total} questions`),
    );
    showProgress('');
    if (evaluation.result === null) {
      const reason = evaluation.error ? errorLine(evaluation.error) : `Its state is ${evaluation.state}.`;
      printToStderr(`The evaluation failed. ${reason}`);
      return EXIT_FAILED;
    }
    if (isJson) print(JSON.stringify(evaluation, null, 2));
    else printEvaluation(evaluation.result);
    if (report !== undefined) await writeFile(report, await client.evaluations.report(id));
    return evaluation.result.comparison?.verdict === 'worse' ? EXIT_FAILED : 0;
  },
);

async function chosenTarget(
  client: Citewell,
  agent: string | undefined,
  datastore: string | undefined,
): Promise<EvaluationConfiguration> {
  if (datastore !== undefined) return { datastoreId: (await chosenDatastore(client, datastore)).id };
  const { id } = await requireByIdOrName(agentsOf(client), agent ?? 'all');
  return { agentId: id };
}

async function chosenDatastore(client: Citewell, datastore: string | undefined): Promise<{ id: string }> {
  if (datastore !== undefined) return requireByIdOrName(datastoresOf(client), datastore);
  const only = await findOnlyItem(datastoresOf(client));
  if (!only) throw new UsageError('There is no datastore yet. Add a file with "citewell add".');
  return only;
}

/** The baseline is of the same kind as the target. */
async function baselineOf(
  client: Citewell,
  { agentId }: EvaluationConfiguration,
  idOrName: string,
): Promise<EvaluationConfiguration> {
  if (agentId === undefined) return { datastoreId: (await chosenDatastore(client, idOrName)).id };
  return { agentId: (await requireByIdOrName(agentsOf(client), idOrName)).id };
}

function settings(options: Options, prefix: '' | 'baseline-'): { topK?: number; minScore?: number } {
  const topK = wholeNumber(`${prefix}top-k`, textOf(options[`${prefix}top-k`]), [1, 100]);
  const minScore = share(`${prefix}min-score`, textOf(options[`${prefix}min-score`]));
  return { ...(topK === undefined ? {} : { topK }), ...(minScore === undefined ? {} : { minScore }) };
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function share(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 1))
    throw new UsageError(`--${name} must be a number from 0 to 1.`);
  return number;
}
