import type { DataSource } from 'typeorm';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import {
  ProviderSessionEntity,
  ProviderSignInEntity,
  SessionEntity,
} from '../../schema/identity.entities.js';

/** A session whose person is looked for at the provider. */
export type DueSession = Pick<
  ProviderSessionEntity,
  'sessionId' | 'organizationId' | 'providerId' | 'subject' | 'sealedTokens'
>;

/** Sign-ins that are in progress at providers, and the sessions that began there. */
export class ProviderSessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async begin(signIn: ProviderSignInEntity): Promise<void> {
    await this.dataSource.manager.insert(ProviderSignInEntity, signIn);
  }

  /** Uses a sign-in up. @returns null if it is unknown, used or expired, or belongs to another browser or provider */
  async take(
    providerId: string,
    { stateHash, browserHash }: Pick<ProviderSignInEntity, 'stateHash' | 'browserHash'>,
  ): Promise<Pick<
    ProviderSignInEntity,
    'nonce' | 'codeVerifier' | 'returnPath' | 'previousSessionHash'
  > | null> {
    return queryRow(
      this.dataSource,
      sql`DELETE FROM provider_sign_ins
           WHERE state_hash = ${stateHash} AND provider_id = ${providerId} AND browser_hash = ${browserHash}
             AND expires_at > now()
          RETURNING nonce, code_verifier AS "codeVerifier", return_path AS "returnPath",
                    previous_session_hash AS "previousSessionHash"`,
    );
  }

  /** The session with this hash, if it began at a provider. */
  async ofSession(hash: string): Promise<DueSession | null> {
    return queryRow<DueSession>(
      this.dataSource,
      sql`SELECT p.session_id AS "sessionId", p.organization_id AS "organizationId", p.provider_id AS "providerId",
                 p.subject, p.sealed_tokens AS "sealedTokens"
            FROM provider_sessions p JOIN sessions s ON s.id = p.session_id WHERE s.hash = ${hash}`,
    );
  }

  /** Sessions that are due. No other process gets them until `seconds` from now. */
  async claimDue(seconds: number, limit: number): Promise<DueSession[]> {
    return queryRows<DueSession>(
      this.dataSource,
      sql`UPDATE provider_sessions SET check_at = now() + make_interval(secs => ${seconds})
           WHERE session_id = ANY (ARRAY(
             SELECT p.session_id FROM provider_sessions p JOIN sessions s ON s.id = p.session_id
              WHERE p.check_at <= now() AND s.expires_at > now()
              ORDER BY p.check_at LIMIT ${limit} FOR UPDATE OF p SKIP LOCKED))
          RETURNING session_id AS "sessionId", organization_id AS "organizationId", provider_id AS "providerId",
                    subject, sealed_tokens AS "sealedTokens"`,
    );
  }

  /** Keeps the tokens that the provider has sent in place of the ones before. */
  async keepTokens(sessionId: string, sealedTokens: string): Promise<void> {
    await this.dataSource.manager.update(ProviderSessionEntity, { sessionId }, { sealedTokens });
  }

  async end(sessionId: string): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { id: sessionId });
  }

  /** Ends all sessions of a person that began at the provider. */
  async endAll(providerId: string, subject: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM sessions WHERE id IN (
            SELECT session_id FROM provider_sessions WHERE provider_id = ${providerId} AND subject = ${subject})`,
    );
  }
}
