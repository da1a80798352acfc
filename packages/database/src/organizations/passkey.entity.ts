import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { AccountEntity } from './account.entity.js';

/** A credential of WebAuthn with which somebody signs in to an account, in place of its password. */
@Entity('passkeys')
@Index(['accountId'])
export class PasskeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' }) accountId!: string;
  /** As the authenticator has chosen it, base64url. */
  @Column('text', { unique: true }) credentialId!: string;
  /** In COSE format. */
  @Column('bytea') publicKey!: Uint8Array;
  /** How often the authenticator says that it has signed. Always 0 for passkeys that are copied between devices. */
  @CountColumn() counter!: number;
  /** How a browser reaches the authenticator, such as `usb` or `internal`. */
  @Column('text', { array: true }) transports!: string[];
  /** Chosen by the person. */
  @Column('text') name!: string;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) lastUsedAt!: Date | null;
}
