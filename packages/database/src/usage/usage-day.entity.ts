import type { USAGE_ACTORS } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CountColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** What somebody has used on one day (UTC), with one agent, one model and prices in one currency. */
@Entity('usage_days')
export class UsageDayEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('text') actorKind!: (typeof USAGE_ACTORS)[number];
  /** Of a person or an API key, which may be gone. All zeros: the product itself. */
  @PrimaryColumn('uuid') actorId!: string;
  /** The agent may be gone. All zeros: a test of a model. */
  @PrimaryColumn('uuid') agentId!: string;
  /** Its name at the provider; empty without a model. */
  @PrimaryColumn('text') model!: string;
  /** Of the cost; empty if the model had no price. */
  @PrimaryColumn('text') currency!: string;
  @Column('int') questions!: number;
  @CountColumn() inputTokens!: number;
  @CountColumn() outputTokens!: number;
  /** Those of both that were counted here, because the provider did not report them. */
  @CountColumn() estimatedTokens!: number;
  /** Exact, as text. */
  @Column('numeric') cost!: string;
}
