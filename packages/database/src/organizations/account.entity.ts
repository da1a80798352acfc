import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../connection/columns.js';

/**
 * The credentials of somebody who signs in without an identity provider, for one or more people: one of each organization.
 * A trigger removes the account with its last person.
 */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid') id!: string;
  /**
   * The verified e-mail, in lower case and unique in the installation: an invitation, or a mail that was answered, vouches for
   * it. Null while only the person has asserted the e-mail. The people of the account have the e-mail in both cases.
   */
  @Column('text', { unique: true, nullable: true }) email!: string | null;
  /** Argon2id, in PHC string format. */
  @Column('text') passwordHash!: string;
  @CreatedAt() createdAt!: Date;
}
