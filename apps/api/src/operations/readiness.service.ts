import { readinessChecks } from '@citewell/ingestion';
import { checkReadiness, FullStorage, type Readiness } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { IndexRecovery } from '../answering/search/index-recovery.service.js';

/** Checks the dependencies of this process. */
@Injectable()
export class ReadinessService {
  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(IndexRecovery) private readonly recovery: Pick<IndexRecovery, 'remark'>,
  ) {}

  check(): Promise<Readiness> {
    const checks = readinessChecks({ get: (token) => this.moduleRef.get(token, { strict: false }) });
    const { vectors } = checks;
    return checkReadiness(
      { ...checks, vectors: async () => (await vectors?.()) ?? this.recovery.remark ?? undefined },
      this.storage,
    );
  }
}
