import { type Role, ROLE_SCOPES } from '@citewell/contracts/schemas';
import type { DataSource, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import type { Reader } from '../../connection/tenant-scope.js';

/** A valid key that a client has presented. */
export interface AuthenticatedKey {
  id: string;
  organizationId: string;
  /** Of a token: those that the role of the person has at this moment. */
  scopes: string[];
  expiresAt: Date | null;
  /** Null unless the key is publishable. */
  publishable: PublishableKey | null;
  /** The person whose token this is. Null for an API key. */
  reader: Reader | null;
}

/** What a publishable key is bound to. */
export interface PublishableKey {
  agentId: string;
  isAgentPublic: boolean;
  allowedOrigins: string[];
}

/** A credential as it is read: the scopes of its key, and the person with the present role. */
interface CredentialRow {
  scopes: string[] | null;
  personId: string | null;
  role: Role | null;
}

/** Columns of {@link CredentialRow} in place of the reader and its scopes. */
export type RowOf<Key extends AuthenticatedKey> = Omit<Key, 'scopes' | 'reader'> & CredentialRow;

/** A person has the scopes of the role; a token, those of its scopes that the role has; an API key, its own. */
export function withRights<Row extends CredentialRow>({
  scopes,
  personId,
  role,
  ...credential
}: Row): Omit<Row, keyof CredentialRow> & Pick<AuthenticatedKey, 'scopes' | 'reader'> {
  if (personId === null || role === null) return { ...credential, reader: null, scopes: scopes ?? [] };
  const allowed: readonly string[] = ROLE_SCOPES[role];
  const own = scopes?.filter((scope) => allowed.includes(scope)) ?? [...allowed];
  return { ...credential, reader: { personId, role }, scopes: own };
}

/** Roles and deactivation are columns of `people`. No update of a key or a session takes rights away. */
const ENDS_RIGHTS = /\b(?:UPDATE "?people|DELETE FROM "?(?:people|sessions|api_keys))\b/;

/**
 * Counts the transactions of this process after which a credential may allow less than before. What was read of a credential is
 * current while the count is the same. The statements themselves are read, so that no repository has to report a change.
 */
export class Revocations implements EntitySubscriberInterface {
  count = 0;
  private readonly uncommitted = new WeakSet<QueryRunner>();

  constructor(dataSource: DataSource) {
    dataSource.subscribers.push(this);
  }

  /** Called by TypeORM. The promise of the statement resolves later. */
  afterQuery({ query, queryRunner }: { query: string; queryRunner: QueryRunner }): void {
    if (ENDS_RIGHTS.test(query)) this.uncommitted.add(queryRunner);
    const isCommitted = query === 'COMMIT' || !queryRunner.isTransactionActive;
    if (isCommitted && this.uncommitted.delete(queryRunner)) this.count += 1;
  }
}
