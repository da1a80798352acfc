import { NO_ACTOR, UsageRecordRepository, type UsedByAnswer } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { PreparedAnswer } from './answer-preparation.service.js';
import type { TokenMeter } from './token-meter.js';

type Asked = Pick<PreparedAnswer, 'tenant' | 'agent' | 'model'>;

/** Counts what answers use, for the person or key that has asked. */
@Injectable()
export class AnswerUsage {
  constructor(
    @Inject(UsageRecordRepository) private readonly records: Pick<UsageRecordRepository, 'record'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Counts an answer that has ended, however it has. A count that cannot be stored is in the log and does not fail the
   * answer. It is not tried again: the first attempt may have been stored.
   *
   * @param isCharged whether the question counts; the tokens that were used count in any case
   */
  async count({ tenant, agent, model }: Asked, meter: TokenMeter, isCharged: boolean): Promise<void> {
    const tokens = meter.read();
    if (!isCharged && tokens.inputTokens + tokens.outputTokens === 0) return;
    const used: UsedByAnswer = {
      ...actorOf({ tenant }),
      agentId: agent.id,
      model: model?.name ?? '',
      questions: isCharged ? 1 : 0,
      ...tokens,
    };
    try {
      await this.records.record(tenant, used);
    } catch (error) {
      const { organizationId } = tenant;
      this.logger.error({ err: error, organizationId, used }, 'the usage of an answer could not be stored');
    }
  }
}

function actorOf({
  tenant: { reader, key },
}: Pick<Asked, 'tenant'>): Pick<UsedByAnswer, 'actorKind' | 'actorId'> {
  if (reader) return { actorKind: 'person', actorId: reader.personId };
  if (key === null) return { actorKind: 'system', actorId: NO_ACTOR };
  return { actorKind: key.kind === 'publishable' ? 'visitors' : 'key', actorId: key.id };
}
