import type { HealthReport } from '@citewell/contracts/schemas';
import { DoctorRepository, findRowProblems, ROW_PROBLEMS, type TenantScope } from '@citewell/database';
import { EmbeddingModels } from '@citewell/infrastructure';
import { readinessChecks } from '@citewell/ingestion';
import { checkReadiness, FullStorage, type Readiness } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { IndexRecovery } from '../answering/search/index-recovery.service.js';
import { ChatModels } from '../models/chat-models.js';
import { RerankSetting } from '../models/rerank-models.js';

/** Checks the dependencies of this process. */
@Injectable()
export class ReadinessService {
  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(IndexRecovery) private readonly recovery: Pick<IndexRecovery, 'warning'>,
  ) {}

  check(): Promise<Readiness> {
    const checks = readinessChecks({ get: (token) => this.moduleRef.get(token, { strict: false }) });
    const { vectors } = checks;
    return checkReadiness(
      { ...checks, vectors: async () => (await vectors?.()) ?? this.recovery.warning ?? undefined },
      this.storage,
    );
  }
}

const MAX_SHOWN_IDS = 20;

/**
 * The part of `citewell doctor` that concerns one organization. The comparison with the stores is left out: it reads
 * all data of all organizations.
 */
@Injectable()
export class HealthReportService {
  constructor(
    @Inject(DoctorRepository) private readonly doctor: DoctorRepository,
    @Inject(ReadinessService) private readonly readiness: ReadinessService,
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(RerankSetting) private readonly reranking: RerankSetting,
    @Inject(EmbeddingModels) private readonly embeddingModels: EmbeddingModels,
  ) {}

  async report(tenant: TenantScope): Promise<HealthReport> {
    const { checks } = await this.readiness.check();
    const found = Object.entries(await findRowProblems(this.doctor, tenant));
    const names: Readonly<Record<string, string>> = ROW_PROBLEMS;
    return {
      dependencies: { ...checks, ...(await this.modelProblems(tenant)) },
      problems: found
        .filter(([, items]) => items.length > 0)
        .map(([kind, items]) => ({
          problem: names[kind] ?? kind,
          count: items.length,
          ids: items.slice(0, MAX_SHOWN_IDS).map(({ id }: { id: string }) => id),
        })),
    };
  }

  private async modelProblems(tenant: TenantScope): Promise<Record<string, string>> {
    const problems = Object.entries(await this.chatModels.problems(tenant));
    const { name, problem } = this.embeddingModels;
    const { problem: rerankProblem } = this.reranking;
    return {
      ...Object.fromEntries(problems.map(([model, sentence]) => [`chat model ${model}`, sentence])),
      ...(problem === null
        ? {}
        : { [`embedding model ${name}`]: `${problem} Until it works, words and earlier vectors answer.` }),
      ...(rerankProblem === null
        ? {}
        : { 'rerank model': `${rerankProblem} Until it works, passages keep the order of the search.` }),
    };
  }
}
