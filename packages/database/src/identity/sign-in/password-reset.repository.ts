import { type DataSource, type EntityManager, LessThan } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { attempt, done, type Result } from '../../connection/result.js';
import { execute, queryRow, type Sql, sql } from '../../connection/sql.js';
import { AccountEntity, PasskeyEntity, PasswordResetEntity } from '../../schema/identity.entities.js';
import { claimEmail } from './account.repository.js';

/** Links to reset passwords. Only the hashes of their tokens are stored. */
export class PasswordResetRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    accountId: string,
    link: { hash: string; expiresAt: Date },
  ): Promise<Result<undefined, 'account-removed'>> {
    await this.dataSource.manager.delete(PasswordResetEntity, { expiresAt: LessThan(new Date()) });
    const insert = async (manager: EntityManager): Promise<Result<undefined, never>> => {
      await manager.insert(PasswordResetEntity, { id: newId(), accountId, ...link });
      return done();
    };
    return attempt<undefined, 'account-removed'>(this.dataSource, insert, { ifGone: 'account-removed' });
  }

  /** Whether a link can be used now. */
  async isValid(hash: string): Promise<boolean> {
    const row = await queryRow(this.dataSource, sql`SELECT 1 FROM password_resets WHERE ${canBeUsed(hash)}`);
    return row !== null;
  }

  /**
   * Uses a link up: sets the password, removes the passkeys, and ends all sessions and other links of the account. The link was
   * sent to the e-mail, which is verified then, unless another account has verified the same.
   *
   * @returns the account; null if the link cannot be used
   */
  async redeem(hash: string, passwordHash: string): Promise<string | null> {
    return this.dataSource.transaction(async (manager) => {
      const used = await queryRow<{ accountId: string }>(
        manager,
        sql`DELETE FROM password_resets WHERE ${canBeUsed(hash)} RETURNING account_id AS "accountId"`,
      );
      if (used === null) return null;
      const { accountId } = used;
      await execute(
        manager,
        sql`UPDATE people SET link_hash = NULL, link_expires_at = NULL WHERE account_id = ${accountId}`,
      );
      await manager.update(AccountEntity, { id: accountId }, { passwordHash });
      await claimEmail(manager, accountId);
      await execute(
        manager,
        sql`UPDATE people p SET email_claimed = false FROM accounts a
             WHERE a.id = ${accountId} AND p.account_id = a.id AND p.email = a.email`,
      );
      await manager.delete(PasswordResetEntity, { accountId });
      // They may be those of somebody who has had the account before the owner of the e-mail.
      await manager.delete(PasskeyEntity, { accountId });
      await execute(
        manager,
        sql`DELETE FROM sessions WHERE person_id IN (SELECT id FROM people WHERE account_id = ${accountId})`,
      );
      return accountId;
    });
  }
}

/** A link is kept while all people of the account are deactivated: nobody could sign in with it. */
function canBeUsed(hash: string): Sql {
  return sql`hash = ${hash} AND expires_at > now() AND EXISTS (
    SELECT 1 FROM people p WHERE p.account_id = password_resets.account_id AND p.disabled_at IS NULL)`;
}
