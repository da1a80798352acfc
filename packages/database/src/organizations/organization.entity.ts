import { DEFAULT_AUDIT_RETENTION_DAYS } from '@citewell/contracts/schemas';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, InstantColumn } from '../connection/columns.js';

/** The tenant, which owns everything else. */
@Entity('organizations')
@Index('organizations_first', ['isFirst'], { unique: true, where: 'is_first' })
@Index('organizations_deleted', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /**
   * Created at the first start of the installation. The key and the limits of the configuration apply to it
   * alone.
   */
  @Column('boolean', { default: false }) isFirst!: boolean;
  /** Agent queries per month; null is no limit. */
  @CountColumn({ nullable: true }) limitAgentQueries!: number | null;
  /** Characters of canonical text that may be stored; null is no limit. */
  @CountColumn({ nullable: true }) limitStoredCharacters!: number | null;
  /** Characters of all serving runs, changed in the transaction that switches or deletes. */
  @CountColumn({ default: 0 }) storedCharacters!: number;
  /**
   * Owners read the conversations of people that began at this instant or later: people are told of it. Null: owners read
   * none.
   */
  @InstantColumn({ nullable: true }) ownersReadConversationsSince!: Date | null;
  /** A datastore has, or has had, chosen readers. Stays true: documents of deleted datastores are cited. */
  @Column('boolean', { default: false }) hasChosenReaders!: boolean;
  /** Older audit events are removed. */
  @Column('int', { default: DEFAULT_AUDIT_RETENTION_DAYS }) auditRetentionDays!: number;
  @CreatedAt() createdAt!: Date;
  /** Set by DELETE: since then nothing of it is visible. The row is removed after everything that it owns. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
