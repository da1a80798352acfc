import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { AccountEntity } from './account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { OrganizationEntity } from './organization.entity.js';
import { PersonEntity } from './person.entity.js';

/** A browser that is signed in, by a person or with an API key. Removing either ends the session. */
@Entity('sessions')
@Index(['organizationId'])
@Index(['apiKeyId'])
@Index(['personId'])
@Index(['accountId'])
@Index(['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Null in the session of a person. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => ApiKeyEntity, { onDelete: 'CASCADE' })
  apiKeyId!: string | null;
  /** Null in a session that a key has begun. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' })
  personId!: string | null;
  /** The account whose password or passkey began the session. Null for a key, a link of the server, or an identity provider. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' })
  accountId!: string | null;
  /** SHA-256 of the session token, hex. */
  @Column('text', { unique: true }) hash!: string;
  /** Of the browser that signed in, truncated. */
  @Column('text', { nullable: true }) userAgent!: string | null;
  @InstantColumn() expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}
