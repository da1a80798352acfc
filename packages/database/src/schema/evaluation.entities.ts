import type {
  EvaluationConfiguration,
  EvaluationOutcome,
  EvaluationQuestion,
  EvaluationState,
  EvaluationWithResult,
} from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from './columns.js';
import { OrganizationEntity } from './tenancy.entities.js';

/** A set of questions that are asked in the background, and the figures that came out. */
@Entity('evaluations')
@Unique(['organizationId', 'id'])
@Index('evaluations_to_do', ['dueAt'], { where: "state IN ('waiting', 'running')" })
export class EvaluationEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Who began it, and for whom it searches. Null: an API key. There is no foreign key, so that it outlives the person. */
  @Column('uuid', { nullable: true }) personId!: string | null;
  /** All datastores that it has searched. Who may not read all of them may not see it. */
  @Column('uuid', { array: true, default: '{}' }) datastoreIds!: string[];
  @Column('text') name!: string;
  @Column('text', { default: 'waiting' }) state!: EvaluationState;
  @Column('jsonb') configuration!: EvaluationConfiguration;
  @Column('jsonb', { nullable: true }) baseline!: EvaluationConfiguration | null;
  @Column('jsonb') questions!: EvaluationQuestion[];
  /** When a process may work on it: of a running one, when the process that works on it counts as dead. */
  @InstantColumn({ default: () => 'now()' }) dueAt!: Date;
  /** How often a process has begun since the last question was answered. */
  @Column('int', { default: 0 }) attempts!: number;
  @Column('jsonb', { nullable: true }) result!: EvaluationWithResult['result'];
  @Column('jsonb', { nullable: true }) error!: { code: string; message: string } | null;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}

/** What one configuration did with one question. */
@Entity('evaluation_outcomes')
@ForeignKey(() => EvaluationEntity, ['organizationId', 'evaluationId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'evaluationId'])
export class EvaluationOutcomeEntity {
  @PrimaryColumn('uuid') evaluationId!: string;
  @PrimaryColumn('text') side!: EvaluationSide;
  /** Of the question in its set, from 0. */
  @PrimaryColumn('int') position!: number;
  @IdColumn() organizationId!: string;
  @Column('jsonb') outcome!: EvaluationOutcome;
}

/** Which of both configurations. */
export type EvaluationSide = 'configuration' | 'baseline';
