import { describe, expect, it } from '@jest/globals';
import { type BudgetSubject, TenantScope } from '@citewell/database';
import { BudgetGuard } from './budget-guard.service.js';

const KEY = new TenantScope('o');
const ADA = new TenantScope('o', { personId: 'ada', role: 'member' });

function guardOf(kinds: BudgetSubject['kind'][], reached: string[]): { guard: BudgetGuard; asked: string[] } {
  const asked: string[] = [];
  const budgets = {
    subjects: async () => (asked.push('subjects'), kinds),
    isReached: async (_: TenantScope, subject: BudgetSubject) => {
      const name = 'id' in subject ? `${subject.kind} ${subject.id}` : subject.kind;
      asked.push(name);
      return reached.includes(name);
    },
  };
  return { guard: new BudgetGuard(budgets), asked };
}

describe('BudgetGuard', () => {
  it.each<
    [
      name: string,
      kinds: BudgetSubject['kind'][],
      reached: string[],
      tenant: TenantScope,
      error: string | null,
    ]
  >([
    ['without budgets', [], [], ADA, null],
    ['within all', ['organization', 'person', 'agent'], [], ADA, null],
    ['of the organization', ['organization'], ['organization'], KEY, 'The organization has'],
    ['of the person', ['person', 'organization'], ['person ada'], ADA, 'You have'],
    ['of another person', ['person'], ['person eve'], ADA, null],
    ['of a person, asked with a key', ['person'], ['person ada'], KEY, null],
    ['of the agent', ['agent'], ['agent a'], KEY, 'The agent has'],
    ['of another agent', ['agent'], ['agent b'], KEY, null],
  ])('%s', async (_, kinds, reached, tenant, error) => {
    const { guard } = guardOf(kinds, reached);
    const asked = guard.assertWithin(tenant, 'a');
    if (error === null) await asked;
    else
      await expect(asked).rejects.toMatchObject({
        code: 'USAGE_LIMIT',
        message: expect.stringContaining(error),
      });
  });

  it('asks the database once for many questions, and again when the budgets have changed', async () => {
    const { guard, asked } = guardOf(['organization'], []);
    await Promise.all([1, 2, 3].map(() => guard.assertWithin(ADA, 'a')));
    expect(asked).toEqual(['subjects', 'organization']);
    guard.forget();
    await guard.assertWithin(ADA, 'a');
    expect(asked).toHaveLength(4);
  });

  it('does not remember a failure', async () => {
    let attempts = 0;
    const subjects = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('unavailable');
      return [];
    };
    const guard = new BudgetGuard({ subjects, isReached: async () => true });
    await expect(guard.assertWithin(KEY, 'a')).rejects.toThrow('unavailable');
    await guard.assertWithin(KEY, 'a');
    expect(attempts).toBe(2);
  });
});
