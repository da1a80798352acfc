import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CountColumn } from '../connection/columns.js';
import { OrganizationEntity } from './organization.entity.js';

/** What an organization has used in a month (UTC), `YYYY-MM`. */
@Entity('usage_counters')
export class UsageCounterEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('text') month!: string;
  @Column('int', { default: 0 }) agentQueries!: number;
  /** Of answers; see `UsageDayEntity`. */
  @CountColumn({ default: 0 }) inputTokens!: number;
  @CountColumn({ default: 0 }) outputTokens!: number;
  /** At the last agent query of the month; null in rows that an older release has written. */
  @CountColumn({ nullable: true }) storedCharacters!: number | null;
  /** The limit of agent queries that was reached in this month. A trigger records an event when it changes. */
  @CountColumn({ nullable: true }) reachedLimit!: number | null;
}
