import type { ServingRun } from '@citewell/database';
import type { Patient } from './finding.js';

const PAGE = 500;

/** Every run that serves, page by page. */
export async function* servingRuns({ doctor }: Pick<Patient, 'doctor'>): AsyncGenerator<ServingRun> {
  let after: string | null = null;
  for (;;) {
    const page: ServingRun[] = await doctor.servingRuns(after, PAGE);
    yield* page;
    after = page.at(-1)?.runId ?? null;
    if (page.length < PAGE) return;
  }
}
