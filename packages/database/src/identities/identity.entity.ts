import type { Role } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { PersonEntity } from '../organizations/person.entity.js';
import { SessionEntity } from '../organizations/session.entity.js';
import { IdentityProviderEntity } from './identity-provider.entity.js';

/** A person at a provider. */
@Entity('identities')
@Index(['organizationId'])
@Index(['personId'])
export class IdentityEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' })
  providerId!: string;
  /** The claim `sub`, which the provider never gives to another person. */
  @PrimaryColumn('text') subject!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' }) personId!: string;
  /** The role that the groups gave when they were last read. Null: none. */
  @Column('text', { nullable: true }) groupRole!: Role | null;
  @CreatedAt() createdAt!: Date;
}

/** A browser that has been sent to a provider and has not come back yet. */
@Entity('provider_sign_ins')
@Index(['organizationId'])
@Index(['providerId'])
@Index(['expiresAt'])
export class ProviderSignInEntity {
  /** SHA-256 of the parameter `state`, hex. */
  @PrimaryColumn('text') stateHash!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' }) providerId!: string;
  /** SHA-256 of the cookie that only this browser has, hex. */
  @Column('text') browserHash!: string;
  @Column('text') nonce!: string;
  @Column('text') codeVerifier!: string;
  /** Path of the page that the person wants to see. */
  @Column('text') returnPath!: string;
  /** SHA-256 of the token of the session that the browser had, hex. */
  @Column('text', { nullable: true }) previousSessionHash!: string | null;
  @InstantColumn() expiresAt!: Date;
}

/** What a session that began at a provider needs of it. */
@Entity('provider_sessions')
@Index(['organizationId'])
@Index(['providerId', 'subject'])
@Index('provider_sessions_due', ['checkAt'], { where: 'check_at IS NOT NULL' })
export class ProviderSessionEntity {
  @PrimaryColumn('uuid') @ForeignKey(() => SessionEntity, { onDelete: 'CASCADE' }) sessionId!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' }) providerId!: string;
  @Column('text') subject!: string;
  /** Encrypted: the refresh token, if there is one, and the ID token, with which the person signs out. */
  @Column('text') sealedTokens!: string;
  /** When the provider is asked next whether the person is still there. Null without a refresh token. */
  @InstantColumn({ nullable: true }) checkAt!: Date | null;
}
