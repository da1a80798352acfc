import type { Role } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { AccountEntity } from './account.entity.js';
import { OrganizationEntity } from './organization.entity.js';

/** The membership of somebody in one organization, with a role. */
@Entity('people')
@Index(['organizationId'])
@Unique(['organizationId', 'id'])
@Index(['accountId'])
@Index(['email'])
@Unique(['organizationId', 'email'])
export class PersonEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Null until a password is set: before the invitation is accepted, and for people of an identity provider. */
  @IdColumn({ nullable: true }) @ForeignKey(() => AccountEntity) accountId!: string | null;
  @Column('text') role!: Role;
  /** In lower case. Null for the first owner, until this person chooses one. */
  @Column('text', { nullable: true }) email!: string | null;
  /**
   * Whether only the person has asserted the e-mail, in the profile. Then it does not say to an identity provider or over
   * SCIM who the person is.
   */
  @Column('boolean', { default: false }) emailClaimed!: boolean;
  /** The e-mail that replaces the present one when the link that was sent to it is opened. */
  @Column('text', { nullable: true }) nextEmail!: string | null;
  /** SHA-256 of the token of that link, hex. */
  @Column('text', { nullable: true }) nextEmailHash!: string | null;
  @InstantColumn({ nullable: true }) nextEmailExpiresAt!: Date | null;
  @Column('text', { nullable: true }) name!: string | null;
  /** Null: the language of the browser. */
  @Column('text', { nullable: true }) language!: string | null;
  /** Always null: accounts have the passwords. A later release removes the column. */
  @Column('text', { nullable: true, select: false, name: 'password_hash' }) formerPasswordHash?: null;
  /** SHA-256 of the token of an invitation, or of a link that sets a new password, hex. It works once. */
  @Column('text', { nullable: true, unique: true }) linkHash!: string | null;
  @InstantColumn({ nullable: true }) linkExpiresAt!: Date | null;
  /** When the person last began a session. Null before the invitation is accepted. */
  @InstantColumn({ nullable: true }) signedInAt!: Date | null;
  /** Since then the person cannot sign in. Null: the person can. */
  @InstantColumn({ nullable: true }) disabledAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
