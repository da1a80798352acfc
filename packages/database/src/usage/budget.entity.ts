import type { BUDGET_MEASURES, BUDGET_SUBJECTS } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** What may be used in a month (UTC). */
@Entity('budgets')
@Index(['organizationId'])
export class BudgetEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') subjectKind!: (typeof BUDGET_SUBJECTS)[number];
  /** Of the person or agent. Null: of the organization, or of each person or agent. */
  @IdColumn({ nullable: true }) subjectId!: string | null;
  @Column('text') measure!: (typeof BUDGET_MEASURES)[number];
  @Column('numeric') amount!: string;
  @Column('int') warnPercent!: number;
}
