import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn } from '../connection/columns.js';
import { AccountEntity } from './account.entity.js';

/** A challenge that a browser has to have signed. It works once, in this browser. */
@Entity('passkey_challenges')
@Index(['accountId'])
@Index(['expiresAt'])
export class PasskeyChallengeEntity {
  /** SHA-256 of the token in the cookie of the browser, hex. */
  @PrimaryColumn('text') hash!: string;
  /** Base64url. */
  @Column('text') challenge!: string;
  /** The account that gets a passkey. Null to sign in. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' })
  accountId!: string | null;
  @InstantColumn() expiresAt!: Date;
}
