import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { AccountEntity } from './account.entity.js';

/** A link with which the owner of an e-mail sets a new password of the account. All of an account end when one is used. */
@Entity('password_resets')
@Index(['accountId'])
@Index(['expiresAt'])
export class PasswordResetEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' }) accountId!: string;
  /** SHA-256 of the token, hex. */
  @Column('text', { unique: true }) hash!: string;
  @InstantColumn() expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}
