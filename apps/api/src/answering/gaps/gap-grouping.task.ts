import {
  type EmbeddedQuestionRow,
  type GapQuestion,
  GapRepository,
  type NewQuestion,
} from '@citewell/database';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import { ALIKE, AnalyzedQuestion, type CosineScale, isSmallTalk, likeness } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';
import { eventLoopTurn } from '../search/event-loop-turn.js';
import { QuestionEmbedder } from '../search/question-embedder.service.js';

/** Questions per execution: the process may have to stop. */
const BATCH = 100;
/** Questions that are compared before others have a turn of the event loop. */
const COMPARED_AT_ONCE = 50;

/**
 * Adds each new question without an answer to the gap with the most alike question, or to a new one. The vectors are those of
 * the model with which the documents are embedded.
 */
@Injectable()
export class GapGrouping implements MaintenanceTask {
  readonly intervalMs = 5_000;

  constructor(
    @Inject(GapRepository)
    private readonly gaps: Pick<GapRepository, 'newQuestions' | 'drop' | 'add'>,
    @Inject(QuestionEmbedder) private readonly embedder: Pick<QuestionEmbedder, 'embed'>,
    @Inject(SPACES) private readonly spaces: Pick<Spaces, 'indexing' | 'embedding'>,
  ) {}

  async run(): Promise<void> {
    const questions = await this.gaps.newQuestions(BATCH);
    if (questions.length === 0) return;
    const withoutSubject = questions.filter(({ text }) => text.trim() === '' || isSmallTalk(text, true));
    await this.gaps.drop(withoutSubject.map(({ answerId }) => answerId));
    for (const question of questions) if (!withoutSubject.includes(question)) await this.add(question);
  }

  private async add(question: NewQuestion): Promise<void> {
    const { space } = this.spaces.embedding ?? this.spaces.indexing;
    const embedded = (await this.embedder.embed(question.text, [space.name], undefined)).get(space.name);
    const embedding = embedded ? { space: space.name, vector: toBytes(embedded.vector) } : null;
    const asked = { text: question.text, embedding };
    await this.gaps.add(question, asked, (gaps) => mostAlike(asked, gaps, embedded?.scale ?? null));
  }
}

/** The id of the gap with the most alike question; null if none is alike. */
export async function mostAlike(
  { text, embedding }: EmbeddedQuestionRow,
  gaps: readonly GapQuestion[],
  scale: Pick<CosineScale, 'between'> | null,
): Promise<string | null> {
  const question = new AnalyzedQuestion(text);
  let best: { gapId: string; value: number } | null = null;
  for (const [index, gap] of gaps.entries()) {
    if (index % COMPARED_AT_ONCE === 0) await eventLoopTurn();
    // Vectors of different models cannot be compared.
    const other = gap.embedding?.space === embedding?.space ? gap.embedding : null;
    const similarity =
      scale && embedding && other
        ? scale.between(toVector(embedding.vector), toVector(other.vector))
        : undefined;
    const value = likeness(question, new AnalyzedQuestion(gap.text), similarity);
    if (value >= ALIKE && value > (best?.value ?? 0)) best = { gapId: gap.gapId, value };
  }
  return best?.gapId ?? null;
}

/** Little-endian, as backups copy them between machines. */
export function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT));
  return bytes;
}

function toVector(bytes: Buffer): Float32Array {
  const length = bytes.length / Float32Array.BYTES_PER_ELEMENT;
  return Float32Array.from({ length }, (_, index) =>
    bytes.readFloatLE(index * Float32Array.BYTES_PER_ELEMENT),
  );
}
