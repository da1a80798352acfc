import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../connection/columns.js';

/**
 * The credentials of somebody who signs in without an identity provider, for one or more people: one of each organization.
 * A trigger removes the account with its last person.
 */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid') id!: string;
  /** In lower case, unique in the installation. The people of the account have the same. */
  @Column('text', { unique: true }) email!: string;
  /** Argon2id, in PHC string format. */
  @Column('text') passwordHash!: string;
  @CreatedAt() createdAt!: Date;
}
