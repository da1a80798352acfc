import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { OrganizationEntity } from './organization.entity.js';

/** A browser that is signed in with an API key. Revoking the key ends the session. */
@Entity('sessions')
@Index(['organizationId'])
@Index(['apiKeyId'])
@Index(['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => ApiKeyEntity, { onDelete: 'CASCADE' }) apiKeyId!: string;
  /** SHA-256 of the session token, hex. */
  @Column('text', { unique: true }) hash!: string;
  @InstantColumn() expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}
