import { BlobNotFoundError } from '@citewell/blob-store';
import { PassageRepository, type TenantScope, type VisibleRun } from '@citewell/database';
import { readText } from '@citewell/models';
import {
  analyzedQuestions,
  isAboutEverything,
  isSmallTalk,
  type Language,
  overviewAnswer,
  overviewQuestion,
  parseSummaries,
  RELEVANT,
  summaryPrompt,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkReader } from '../search/chunk-reader.service.js';
import { toPassage } from '../search/introductions.service.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { Search } from '../search/search.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import type { GroundedAnswer } from './answer-writer.service.js';

/** Documents that are listed, and the most libraries, the largest first. */
const MAX_DOCUMENTS = 5;
/** A model summarizes up to so many documents itself. */
const MAX_SUMMARIZED = 3;
/** Chunks of each document whose headings become questions. */
const MAX_CHUNKS = 30;
const MAX_QUESTIONS = 3;
/** Questions that are tried. */
const MAX_TRIED = 5;
const MAX_HEADING_LENGTH = 80;
/** Of a document, for the model that says what its library is about. */
const MAX_BEGINNING = 400;
/** The answer waits for the model, and has the rest without it. */
const SUMMARY_TIMEOUT_MS = 5_000;
/** Models that reason need more than the sentences. */
const SUMMARY_TOKENS = 1_000;

/** An answer that describes what can be asked about, and the passages that it cites. */
export type OverviewAnswer = GroundedAnswer & { answer: string };

/** A document with its first chunks. */
interface Listed {
  readonly run: VisibleRun;
  readonly passages: readonly FoundPassage[];
}

/**
 * Answers a greeting, and a question about everything, with an overview of the libraries: their documents by kind and date, the
 * newest documents with their first sentences, and questions that the documents answer, which are searched before. A chat model adds
 * what each library is about, from these documents.
 */
@Injectable()
export class OverviewService {
  constructor(
    @Inject(PassageRepository) private readonly passages: PassageRepository,
    @Inject(ChunkReader) private readonly chunks: ChunkReader,
    @Inject(Search) private readonly search: Search,
  ) {}

  /**
   * @returns null for another question, for visitors of a web page, with filters, and if there are not at least two documents; a
   * model summarizes a few documents itself
   */
  async find(
    prepared: PreparedAnswer,
    language: Language,
    signal: AbortSignal,
  ): Promise<OverviewAnswer | null> {
    const { tenant, datastores, query, question, model, agent, history, visitorToken } = prepared;
    if (visitorToken !== null || query.filters) return null;
    // An agent that may also answer without documents decides itself, if it has a model.
    if (!agent.restrictToSources && model !== null) return null;
    const isFirst = history.length === 0;
    const isGreeting = isFirst && isSmallTalk(question.text, true);
    if (!isGreeting && !isAboutEverything(question.text, isFirst)) return null;
    const counts = await this.passages.counts(
      tenant,
      datastores.map(({ id }) => id),
    );
    const total = counts.reduce((sum, { documents }) => sum + documents, 0);
    const least = isGreeting ? 1 : model === null ? 2 : MAX_SUMMARIZED + 1;
    if (total < least) return null;
    const listed = await this.newest(
      tenant,
      counts.slice(0, MAX_DOCUMENTS).map(({ datastoreId }) => datastoreId),
    );
    const [questions, summaries] = await Promise.all([
      this.questions(prepared, listed, language, signal),
      summarize(prepared, listed, language, signal),
    ]);
    const names = new Map(datastores.map(({ id, name }) => [id, name]));
    // Who may read the cited documents may read the answer: it names no other library.
    const cited = counts.filter(({ datastoreId }) =>
      listed.some(({ run }) => run.datastoreId === datastoreId),
    );
    const { answer, quotes } = overviewAnswer(language, {
      libraries: cited.map(({ datastoreId, ...library }) => ({
        ...library,
        name: names.get(datastoreId) ?? '',
        summary: summaries.get(datastoreId),
      })),
      documents: listed.flatMap(({ run, passages: [passage] }) =>
        passage ? [{ name: run.datasourceName, passage }] : [],
      ),
      questions,
    });
    return {
      answer,
      passages: listed.flatMap(({ passages }) => passages.slice(0, 1)),
      cited: new Set(quotes.keys()),
      quotes,
    };
  }

  /** The newest documents that have text, in turn from each datastore. */
  private async newest(tenant: TenantScope, datastoreIds: readonly string[]): Promise<Listed[]> {
    const newest = await Promise.all(
      datastoreIds.map((id) => this.passages.newest(tenant, [id], undefined, MAX_DOCUMENTS)),
    );
    const runs = Array.from({ length: MAX_DOCUMENTS }, (_, round) =>
      newest.flatMap((own) => own[round] ?? []),
    );
    const listed = await Promise.all(
      runs
        .flat()
        .slice(0, MAX_DOCUMENTS)
        .map((run) => this.firstChunks(tenant, run)),
    );
    return listed.filter(({ passages }) => passages.length > 0);
  }

  private async firstChunks({ organizationId }: TenantScope, run: VisibleRun): Promise<Listed> {
    const runKey = { organizationId, datasourceId: run.datasourceId, id: run.runId };
    try {
      const chunks = await this.chunks.read(runKey, { after: -1, limit: MAX_CHUNKS });
      return { run, passages: chunks.map((chunk) => toPassage(chunk, run, organizationId)) };
    } catch (error) {
      // The run was replaced and purged after it was selected. The other documents are enough.
      if (error instanceof BlobNotFoundError) return { run, passages: [] };
      throw error;
    }
  }

  /** Questions about headings, and then about whole documents, that find what they ask about. */
  private async questions(
    prepared: PreparedAnswer,
    listed: readonly Listed[],
    language: Language,
    signal: AbortSignal,
  ): Promise<string[]> {
    const { tenant, datastores } = prepared;
    const found: string[] = [];
    for (const { run, heading } of candidates(listed).slice(0, MAX_TRIED)) {
      const text = overviewQuestion(language, run.datasourceName, heading);
      const { questions } = await this.search.find(tenant, datastores, analyzedQuestions(text), {
        introductions: heading === null,
        // Their order does not matter so much that a rerank model should be asked.
        rerank: false,
        limit: 1,
        signal,
      });
      const isAnswered = questions.some(({ passages: [best], areIntroductions }) => {
        if (best?.run.datasourceId !== run.datasourceId) return false;
        return areIntroductions ?? (best.score >= RELEVANT && best.headingPath.includes(heading ?? ''));
      });
      if (isAnswered) found.push(text);
      if (found.length === MAX_QUESTIONS) break;
    }
    return found;
  }
}

/** What the chat model says that each library is about, by its id; empty without a model, and if it fails or is slow. */
async function summarize(
  { model }: PreparedAnswer,
  listed: readonly Listed[],
  language: Language,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const libraries = [...Map.groupBy(listed, ({ run }) => run.datastoreId)];
  if (model === null || libraries.length === 0) return new Map();
  const { system, user } = summaryPrompt(
    libraries.map(([, documents]) =>
      documents.map(({ run, passages }) => ({
        name: run.datasourceName,
        text: [passages[0]?.headingPath.join(' > '), passages[0]?.text.slice(0, MAX_BEGINNING)].join('\n'),
      })),
    ),
    language,
  );
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(SUMMARY_TIMEOUT_MS)]);
  try {
    const reply = await readText(model, { messages, temperature: 0, maxTokens: SUMMARY_TOKENS }, timeout);
    const sentences = parseSummaries(reply, libraries.length);
    return new Map(
      libraries.flatMap(([id], index) => (sentences.has(index) ? [[id, sentences.get(index) ?? '']] : [])),
    );
  } catch {
    signal.throwIfAborted();
    return new Map();
  }
}

/** Headings to ask about, in turn from each document, and then the documents themselves. The title of a document is no such heading. */
function candidates(listed: readonly Listed[]): { run: VisibleRun; heading: string | null }[] {
  const headings = listed.map(({ run, passages }) => {
    const titles = new Set(passages.map(({ headingPath: [first] }) => first));
    const own = new Set(passages.flatMap(({ headingPath }) => headingPath.slice(-1)));
    return [...own]
      .filter(
        (heading) => heading.length <= MAX_HEADING_LENGTH && !(titles.size === 1 && titles.has(heading)),
      )
      .map((heading) => ({ run, heading }));
  });
  const rounds = Math.max(0, ...headings.map(({ length }) => length));
  const inTurn = Array.from({ length: rounds }, (_, round) => headings.flatMap((own) => own[round] ?? []));
  return [
    ...inTurn.flat().slice(0, MAX_TRIED - MAX_QUESTIONS),
    ...listed.map(({ run }) => ({ run, heading: null })),
  ];
}
