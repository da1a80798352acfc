import { BudgetRepository, type BudgetSubject, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';

/** How long what the database says is used again. A raised budget takes this long. */
const TTL_MS = 2_000;
const MAX_ENTRIES = 10_000;

const SENTENCES: Readonly<Record<BudgetSubject['kind'], string>> = {
  organization: 'The organization has used up its budget of this month.',
  person: 'You have used up your budget of this month.',
  agent: 'The agent has used up its budget of this month.',
};

/** Refuses questions when a monthly budget is used up. Answers in progress are completed, and may exceed it. */
@Injectable()
export class BudgetGuard {
  private readonly known = new Map<string, { value: Promise<unknown>; until: number }>();

  constructor(
    @Inject(BudgetRepository) private readonly budgets: Pick<BudgetRepository, 'subjects' | 'isReached'>,
  ) {}

  /** @throws {@link ApiError} `USAGE_LIMIT` */
  async assertWithin(tenant: TenantScope, agentId: string): Promise<void> {
    const { organizationId, reader } = tenant;
    const kinds = await this.remember(organizationId, () => this.budgets.subjects(tenant));
    if (kinds.length === 0) return;
    const subjects: BudgetSubject[] = [
      { kind: 'organization' },
      ...(reader ? [{ kind: 'person' as const, id: reader.personId }] : []),
      { kind: 'agent', id: agentId },
    ];
    const checked = subjects.filter(({ kind }) => kinds.includes(kind));
    const reached = await Promise.all(
      checked.map((subject) => {
        const id = 'id' in subject ? subject.id : '';
        return this.remember(`${organizationId} ${subject.kind} ${id}`, () =>
          this.budgets.isReached(tenant, subject),
        );
      }),
    );
    const used = checked[reached.indexOf(true)];
    if (used) throw new ApiError('USAGE_LIMIT', SENTENCES[used.kind]);
  }

  /** Forgets what was read, so that a change of the budgets counts at once in this process. */
  forget(): void {
    this.known.clear();
  }

  private remember<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const now = performance.now();
    const entry = this.known.get(key);
    // Each key stands for one kind of value.
    if (entry && entry.until > now) return entry.value as Promise<Value>;
    if (this.known.size >= MAX_ENTRIES) this.known.clear();
    const value = read();
    this.known.set(key, { value, until: now + TTL_MS });
    // A failure is not remembered.
    value.catch(() => this.known.delete(key));
    return value;
  }
}
