import type { Config } from '@citewell/config';
import type { DataSource, OrganizationRepository, Revocations, SessionRepository } from '@citewell/database';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Authenticator } from './authenticator.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

let role: 'editor' | 'member';
let reads: number;

/** An API process: its authenticator, and what TypeORM calls after each statement. */
function startProcess() {
  const subscribers: Revocations[] = [];
  const sessions = {
    authenticate: async () => {
      reads += 1;
      const scopes = role === 'editor' ? ['read', 'write'] : ['read'];
      return { id: 'p', sessionId: 's', organizationId: 'o', reader: { personId: 'p', role }, scopes };
    },
  } as unknown as SessionRepository;
  const organizations = {} as OrganizationRepository;
  const dataSource = { subscribers } as unknown as DataSource;
  const authenticator = new Authenticator(organizations, sessions, {} as Config, dataSource);
  return {
    scopes: async () => [...(await authenticator.ofSession('token')).scopes],
    demote: () => {
      role = 'member';
      const queryRunner = { isTransactionActive: false } as Parameters<
        Revocations['afterQuery']
      >[0]['queryRunner'];
      for (const subscriber of subscribers)
        subscriber.afterQuery({ query: 'UPDATE "people" SET "role" = $1', queryRunner });
    },
  };
}

beforeEach(() => {
  role = 'editor';
  reads = 0;
});

it('a demotion holds at once in its process, and after two seconds in others', async () => {
  const [own, other] = [startProcess(), startProcess()];
  for (const { scopes } of [own, other, own, other]) expect(await scopes()).toEqual(['read', 'write']);
  expect(reads).toBe(2);
  own.demote();
  expect(await own.scopes()).toEqual(['read']);
  jest.advanceTimersByTime(1_999);
  expect(await other.scopes()).toEqual(['read', 'write']);
  jest.advanceTimersByTime(1);
  expect(await other.scopes()).toEqual(['read']);
});

it('a role that was read before a demotion is not cached', async () => {
  const own = startProcess();
  const reading = own.scopes();
  own.demote();
  await reading;
  expect(await own.scopes()).toEqual(['read']);
});
