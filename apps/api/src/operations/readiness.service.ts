import { readinessChecks } from '@citewell/ingestion';
import { checkReadiness, FullStorage, type Readiness } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

/** Checks the dependencies of this process. */
@Injectable()
export class ReadinessService {
  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(FullStorage) private readonly storage: FullStorage,
  ) {}

  check(): Promise<Readiness> {
    const checks = readinessChecks({ get: (token) => this.moduleRef.get(token, { strict: false }) });
    return checkReadiness(checks, this.storage);
  }
}
