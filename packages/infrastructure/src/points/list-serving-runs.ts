import type { DoctorRepository, ServingRun } from '@citewell/database';

const PAGE_SIZE = 500;

/** Iterates over every serving run. */
export async function* listServingRuns(
  doctor: Pick<DoctorRepository, 'servingRuns'>,
): AsyncGenerator<ServingRun> {
  let after: string | null = null;
  for (;;) {
    const page: ServingRun[] = await doctor.servingRuns(after, PAGE_SIZE);
    yield* page;
    after = page.at(-1)?.runId ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}
