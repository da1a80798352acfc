import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, InstantColumn } from '../connection/columns.js';

/** The tenant: owns everything else. */
@Entity('organizations')
@Index('organizations_first', ['isFirst'], { unique: true, where: 'is_first' })
@Index('organizations_deleted', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /** Made at the installation's first start; the configuration's key and limits are this one's, and no other's. */
  @Column('boolean', { default: false }) isFirst!: boolean;
  /** Agent queries a month; null is no limit. */
  @CountColumn({ nullable: true }) limitAgentQueries!: number | null;
  /** Characters of canonical text that may be stored; null is no limit. */
  @CountColumn({ nullable: true }) limitStoredCharacters!: number | null;
  /** Characters of all serving runs together; changed in the transaction that switches or deletes. */
  @CountColumn({ default: 0 }) storedCharacters!: number;
  @CreatedAt() createdAt!: Date;
  /** Set by DELETE; from then on it is not there for anybody, and the row goes after everything that it owned. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
