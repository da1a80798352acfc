import {
  AgentRepository,
  DatastoreRepository,
  type DueGap,
  GapRepository,
  TenantScope,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { analyzedQuestions, RELEVANT } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { Search } from '../search/search.service.js';
import { GapMails } from './gap-mails.service.js';

/** The hour at which a night's questions are due, in the time zone of the server. A server that is off asks when it is on again. */
const HOUR = 2;
/** Questions of an organization that are asked again in a night. */
const PER_ORGANIZATION = 200;
/** Questions per execution: the process may have to stop. */
const BATCH = 20;
const PASSAGES = 12;

/**
 * Asks the last question of each gap again, once a night, if something was added since. The search decides, as it does for
 * an agent without a chat model: no chat model is asked, and nothing counts as a query.
 */
@Injectable()
export class GapCheck implements MaintenanceTask {
  readonly intervalMs = 60_000;

  constructor(
    @Inject(GapRepository)
    private readonly gaps: Pick<GapRepository, 'claimDue' | 'changedSince' | 'record' | 'collect'>,
    @Inject(AgentRepository) private readonly agents: Pick<AgentRepository, 'findAlone'>,
    @Inject(DatastoreRepository) private readonly datastores: Pick<DatastoreRepository, 'ofAgent'>,
    @Inject(Search) private readonly search: Pick<Search, 'find'>,
    @Inject(GapMails) private readonly mails: Pick<GapMails, 'send'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  async run(): Promise<void> {
    await this.gaps.collect();
    const due = { since: beginOfNight(new Date()), perOrganization: PER_ORGANIZATION, limit: BATCH };
    for (const gap of await this.gaps.claimDue(due)) {
      try {
        await this.check(gap);
      } catch (error) {
        this.logger.warn(
          { err: error, gapId: gap.id },
          'a question was not asked again and is due in an hour',
        );
      }
    }
  }

  private async check(gap: DueGap): Promise<void> {
    const passage = await this.findAnswer(gap);
    const marker = await this.gaps.record(gap, passage?.datasourceId ?? null);
    if (marker) this.mails.send(marker, gap.question, passage?.run.datasourceName ?? null);
  }

  /** The best relevant passage of a document that was added or changed after the question. */
  private async findAnswer({
    organizationId,
    agentId,
    question,
    lastAskedAt,
  }: DueGap): Promise<FoundPassage | undefined> {
    const tenant = new TenantScope(organizationId);
    const [agent, datastores] = await Promise.all([
      this.agents.findAlone(tenant, agentId),
      this.datastores.ofAgent(tenant, agentId),
    ]);
    if (agent === null || datastores.length === 0) return undefined;
    const minScore = Math.max(agent.minScore, RELEVANT);
    const { passages } = await this.search.find(tenant, datastores, analyzedQuestions(question), {
      limit: PASSAGES,
    });
    const relevant = passages.filter(({ score }) => score >= minScore);
    const ids = relevant.map(({ datasourceId }) => datasourceId);
    const changed = await this.gaps.changedSince(tenant, ids, lastAskedAt);
    return relevant.find(({ datasourceId }) => changed.has(datasourceId));
  }
}

/** The last time that it was {@link HOUR} o'clock. */
export function beginOfNight(now: Date): Date {
  const night = new Date(now);
  night.setHours(HOUR, 0, 0, 0);
  if (night > now) night.setDate(night.getDate() - 1);
  return night;
}
