import { NO_ID, type TenantScope, UsageRecordRepository, type UsedByAnswer } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { TokenMeter } from './token-meter.js';

/** An answer, or a test of a model. */
export interface ModelUse {
  tenant: TenantScope;
  /** Null for a test. */
  agentId: string | null;
  /** Its name at the provider. Empty without a model. */
  model: string;
  /** Whether a question counts. The tokens that were used count in any case. */
  isCharged: boolean;
  /** The reservation of the question, which ends with the count. */
  reservationId?: string | null;
}

/** Counts what models are used for, for the person or key that has asked. */
@Injectable()
export class ModelUsage {
  constructor(
    @Inject(UsageRecordRepository) private readonly records: Pick<UsageRecordRepository, 'record'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Counts an answer or a test that has ended, however it has. A count that cannot be stored is in the log and does not
   * fail the answer. It is not tried again: the first attempt may have been stored.
   */
  async count(use: ModelUse, meter: TokenMeter): Promise<void> {
    const { tenant, agentId, model, isCharged, reservationId = null } = use;
    const tokens = meter.read();
    if (!isCharged && reservationId === null && tokens.inputTokens + tokens.outputTokens === 0) return;
    const used: UsedByAnswer = {
      ...actorOf(tenant),
      agentId: agentId ?? NO_ID,
      model,
      questions: isCharged ? 1 : 0,
      ...tokens,
      reservationId,
    };
    try {
      await this.records.record(tenant, used);
    } catch (error) {
      const { organizationId } = tenant;
      this.logger.error({ err: error, organizationId, used }, 'the usage of a model could not be stored');
    }
  }
}

function actorOf({ reader, key }: TenantScope): Pick<UsedByAnswer, 'actorKind' | 'actorId'> {
  if (reader) return { actorKind: 'person', actorId: reader.personId };
  if (key === null) return { actorKind: 'system', actorId: NO_ID };
  return { actorKind: key.kind === 'publishable' ? 'visitors' : 'key', actorId: key.id };
}
