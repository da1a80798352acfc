import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from './organization.entity.js';

/** Agent queries of an organization in a month (UTC), `YYYY-MM`. */
@Entity('usage_counters')
export class UsageCounterEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('text') month!: string;
  @Column('int', { default: 0 }) agentQueries!: number;
}
