import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CountColumn, CreatedAt, InstantColumn } from './columns.js';

/** The tenant: owns everything else. */
@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /** Agent queries a month; null is no limit. */
  @CountColumn({ nullable: true }) limitAgentQueries!: number | null;
  /** Characters of canonical text that may be stored; null is no limit. */
  @CountColumn({ nullable: true }) limitStoredCharacters!: number | null;
  /** Characters of all serving runs together; changed in the transaction that switches or deletes. */
  @CountColumn({ default: 0 }) storedCharacters!: number;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
}
