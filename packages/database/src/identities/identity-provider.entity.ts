import type { GroupRole, Role } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A provider of OpenID Connect at which people of an organization sign in. */
@Entity('identity_providers')
@Index(['organizationId'])
export class IdentityProviderEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Shown on the button of the sign-in page. */
  @Column('text') name!: string;
  @Column('text') issuer!: string;
  /** Null until the application is registered at the provider. Nobody signs in until then. */
  @Column('text', { nullable: true }) clientId!: string | null;
  /** Null for a public client. */
  @Column('text', { nullable: true }) sealedClientSecret!: string | null;
  /** Names with a space between them. */
  @Column('text') scopes!: string;
  /** In lower case. Empty: all. */
  @Column('text', { array: true }) emailDomains!: string[];
  /** Null: only people who are invited or have a mapped group get in. */
  @Column('text', { nullable: true }) defaultRole!: Extract<Role, 'editor' | 'member'> | null;
  @Column('text') groupsClaim!: string;
  @Column('jsonb') groupRoles!: GroupRole[];
  @CreatedAt() createdAt!: Date;
}
