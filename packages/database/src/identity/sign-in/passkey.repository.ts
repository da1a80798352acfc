import { type DataSource, LessThan } from 'typeorm';
import { isReferenceGone, isUniqueViolation } from '../../connection/database-unavailable.js';
import { isId, newId } from '../../connection/new-id.js';
import { done, refuse, type Result } from '../../connection/result.js';
import { execute, queryRow, sql } from '../../connection/sql.js';
import { PasskeyChallengeEntity, PasskeyEntity } from '../../schema/identity.entities.js';

/** More are of no use to anybody. */
const MAX_PASSKEYS = 20;

type NewPasskey = Pick<
  PasskeyEntity,
  'accountId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'
>;

/** Passkeys of accounts, and the challenges that browsers have to have signed. */
export class PasskeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async ofAccount(accountId: string): Promise<PasskeyEntity[]> {
    return this.dataSource.manager.find(PasskeyEntity, { where: { accountId }, order: { id: 'DESC' } });
  }

  async withCredential(credentialId: string): Promise<PasskeyEntity | null> {
    return this.dataSource.manager.findOneBy(PasskeyEntity, { credentialId });
  }

  /** Refuses a credential that is known, one of an account that was removed, and more than {@link MAX_PASSKEYS}. */
  async add(passkey: NewPasskey): Promise<Result<PasskeyEntity, 'known' | 'account-removed' | 'too-many'>> {
    const { manager } = this.dataSource;
    const id = newId();
    if ((await manager.countBy(PasskeyEntity, { accountId: passkey.accountId })) >= MAX_PASSKEYS)
      return refuse('too-many');
    try {
      await manager.insert(PasskeyEntity, { id, ...passkey });
    } catch (error) {
      if (isUniqueViolation(error)) return refuse('known');
      if (isReferenceGone(error)) return refuse('account-removed');
      throw error;
    }
    return done(await manager.findOneByOrFail(PasskeyEntity, { id }));
  }

  async remove(accountId: string, id: string): Promise<PasskeyEntity | null> {
    if (!isId(id)) return null;
    const passkey = await this.dataSource.manager.findOneBy(PasskeyEntity, { id, accountId });
    if (passkey) await this.dataSource.manager.delete(PasskeyEntity, { id });
    return passkey;
  }

  /**
   * Records a use.
   *
   * @param counter that was checked, and the one of the authenticator now
   * @returns whether the passkey is still there, and was not used by somebody else since
   */
  async recordUse(id: string, counter: { before: number; now: number }): Promise<boolean> {
    const changed = await execute(
      this.dataSource,
      sql`UPDATE passkeys SET counter = ${counter.now}, last_used_at = now()
           WHERE id = ${id} AND counter = ${counter.before}`,
    );
    return changed > 0;
  }

  /** Stores a challenge, and forgets expired ones. */
  async addChallenge(challenge: PasskeyChallengeEntity): Promise<void> {
    const { manager } = this.dataSource;
    await manager.delete(PasskeyChallengeEntity, { expiresAt: LessThan(new Date()) });
    await manager.insert(PasskeyChallengeEntity, challenge);
  }

  /** Uses a challenge up. @returns null if there is none, or it has expired */
  async takeChallenge(hash: string): Promise<Pick<PasskeyChallengeEntity, 'challenge' | 'accountId'> | null> {
    return queryRow(
      this.dataSource,
      sql`DELETE FROM passkey_challenges WHERE hash = ${hash} AND expires_at > now()
           RETURNING challenge, account_id AS "accountId"`,
    );
  }
}
