import type { Role } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from './organization.entity.js';

/** Somebody who signs in. A person belongs to one organization. */
@Entity('people')
@Index(['organizationId'])
@Unique(['organizationId', 'id'])
export class PersonEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') role!: Role;
  /** In lower case, unique in the installation. Null for the first owner, until this person chooses one. */
  @Column('text', { nullable: true, unique: true }) email!: string | null;
  @Column('text', { nullable: true }) name!: string | null;
  /** Null: the language of the browser. */
  @Column('text', { nullable: true }) language!: string | null;
  /** Argon2id, in PHC string format. Null before the invitation is accepted. */
  @Column('text', { nullable: true }) passwordHash!: string | null;
  /** SHA-256 of the token with which the person chooses a password, hex. It works once. */
  @Column('text', { nullable: true, unique: true }) linkHash!: string | null;
  @InstantColumn({ nullable: true }) linkExpiresAt!: Date | null;
  /** Null before the invitation is accepted. */
  @InstantColumn({ nullable: true }) signedInAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
