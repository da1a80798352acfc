import type { ChatMessage, FinishReason } from '../model.port.js';
import type { HoldRule, ReasoningFilter } from './reasoning.filter.js';
import { indexOfLastEnd } from './reasoning-marks.js';

/** Names of models that reason, and whose servers may send it as text. */
const REASONING_NAME = /think|reason|magistral|(?:^|[^a-z\d])(?:r1|qwq)(?:$|[^a-z\d])/i;
/** Answers without reasoning after which a model is taken for one that writes none. */
const CAUTIOUS_ANSWERS = 10;
/** First answers of a model, which are judged by all openings. */
const NEW_ANSWERS = 3;
/** Answers with a lone end mark that show that a model starts in reasoning. A user may have asked for one mark. */
const LONE_ENDS = 2;

/** What an answer says about its model. */
type LearntAnswer = Pick<ReasoningFilter, 'rule' | 'hasMarks' | 'hasLoneEnd' | 'opensAloud'>;

/**
 * What the earlier answers of a model say about its reasoning. Text is buffered only in these cases:
 * - to the end, if the request contains an end mark, which the reasoning may quote;
 * - until the first mark, if one of the last ten answers had reasoning as text, if the last one had a lone end mark, which
 *   may be chance, or if the name of a model without answers says that it reasons;
 * - otherwise if the answer begins as models do that think aloud; clearly so, after three answers without reasoning.
 */
export class ReasoningMemory {
  private cautiousAnswers: number;
  private newAnswers = NEW_ANSWERS;
  private loneEnds = 0;

  constructor(modelName: string) {
    this.cautiousAnswers = REASONING_NAME.test(modelName) ? 1 : 0;
  }

  ruleFor(messages: readonly ChatMessage[]): HoldRule {
    if (messages.some(({ content }) => indexOfLastEnd(content) !== null)) return 'always';
    if (this.cautiousAnswers > 0) return 'start';
    return this.newAnswers > 0 ? 'aloud' : 'clear';
  }

  /** Whether an answer without a mark is truncated reasoning. Text that begins like an answer is not. */
  isCutReasoning({ opensAloud }: Pick<ReasoningFilter, 'opensAloud'>, finish: FinishReason): boolean {
    return finish === 'length' && opensAloud && this.loneEnds >= LONE_ENDS;
  }

  /** Learns from a complete answer. The memory serves all callers, so a mark that may be quoted says nothing. */
  learn({ rule, hasMarks, hasLoneEnd, opensAloud }: LearntAnswer, finish: FinishReason): void {
    if (rule === 'always') return;
    const isChance = hasLoneEnd && !opensAloud && this.loneEnds === 0;
    const cautious = Math.max(isChance ? 1 : 0, this.cautiousAnswers - 1);
    this.cautiousAnswers = hasMarks && !isChance ? CAUTIOUS_ANSWERS : cautious;
    this.newAnswers = hasMarks ? NEW_ANSWERS : Math.max(0, this.newAnswers - 1);
    if (hasLoneEnd) this.loneEnds += opensAloud ? LONE_ENDS : 1;
    else if (finish === 'stop') this.loneEnds = 0;
  }
}
