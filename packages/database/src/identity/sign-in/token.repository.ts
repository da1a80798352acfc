import { createHash, randomBytes } from 'node:crypto';
import { type DataSource, type EntityManager, MoreThan } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { ApiKeyEntity, PersonEntity } from '../../schema/identity.entities.js';

/** A token to store. */
export interface NewToken {
  name: string;
  prefix: string;
  hash: string;
  scopes: string[];
  expiresAt: Date;
}

/** Personal access tokens. `OrganizationRepository` authenticates them. */
export class TokenRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Refuses more than `max` valid tokens. */
  async create(
    { organizationId }: TenantScope,
    personId: string,
    token: NewToken,
    max: number,
  ): Promise<Result<ApiKeyEntity, 'person-removed' | 'too-many'>> {
    const id = newId();
    const create = async (
      manager: EntityManager,
    ): Promise<Result<ApiKeyEntity, 'person-removed' | 'too-many'>> => {
      // The lock lets only as many tokens be created at once as are allowed.
      const person = await manager.findOne(PersonEntity, {
        where: { id: personId, organizationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (person === null) return refuse('person-removed');
      if ((await valid(manager, organizationId, personId)).length >= max) return refuse('too-many');
      await manager.insert(ApiKeyEntity, { id, organizationId, personId, ...token });
      return done(await manager.findOneByOrFail(ApiKeyEntity, { id }));
    };
    return attempt(this.dataSource, create, { ifGone: 'person-removed' });
  }

  /** The tokens of a person that have not expired, newest first. */
  async list({ organizationId }: TenantScope, personId: string): Promise<ApiKeyEntity[]> {
    return valid(this.dataSource.manager, organizationId, personId);
  }

  /** @returns null if the person has no such token */
  async remove({ organizationId }: TenantScope, personId: string, id: string): Promise<ApiKeyEntity | null> {
    if (!isId(id)) return null;
    const { manager } = this.dataSource;
    const token = await manager.findOneBy(ApiKeyEntity, { id, organizationId, personId });
    if (token) await manager.delete(ApiKeyEntity, { id, personId });
    return token;
  }
}

function valid(manager: EntityManager, organizationId: string, personId: string): Promise<ApiKeyEntity[]> {
  return manager.find(ApiKeyEntity, {
    where: { organizationId, personId, expiresAt: MoreThan(new Date()) },
    order: { id: 'DESC' },
  });
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_CHARACTERS = 32;
const PREFIX_CHARACTERS = 9;

/** A new API key: `cw_` and 32 random characters of base 62, which are 190 random bits. */
export function generateKey(): string {
  let key = '';
  while (key.length < KEY_CHARACTERS) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes are skipped, so that all characters are
    // equally likely.
    for (const byte of randomBytes(KEY_CHARACTERS))
      if (byte < 248 && key.length < KEY_CHARACTERS) key += BASE62[byte % 62];
  }
  return `cw_${key}`;
}

/** What is stored of a key: its hash to look it up, and its first characters to display. */
export function describeKey(key: string): { hash: string; prefix: string } {
  return { hash: createHash('sha256').update(key).digest('hex'), prefix: key.slice(0, PREFIX_CHARACTERS) };
}
