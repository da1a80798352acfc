import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AgentEntity } from '../agents/agent.entity.js';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from './organization.entity.js';
import { PersonEntity } from './person.entity.js';

/** A bearer key of one organization, or a personal access token of one of its people. Only its hash is stored. */
@Entity('api_keys')
@Index(['organizationId'])
@Index('api_keys_of_person', ['personId'], { where: 'person_id IS NOT NULL' })
@ForeignKey(() => AgentEntity, ['organizationId', 'agentId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  /** The first characters, by which users recognise the key. */
  @Column('text') prefix!: string;
  /** SHA-256 of the key, hex. The key has more than 128 random bits, so a slow hash would add nothing. */
  @Column('text', { unique: true }) hash!: string;
  @Column('text', { array: true }) scopes!: string[];
  @InstantColumn({ nullable: true }) expiresAt!: Date | null;
  /** Whose token this is. Null: an API key. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' })
  personId!: string | null;
  /** The only agent that a publishable key may ask. Null: the key is not publishable. */
  @IdColumn({ nullable: true }) agentId!: string | null;
  /** Origins of the pages that may use a publishable key. */
  @Column('text', { array: true, nullable: true }) allowedOrigins!: string[] | null;
  /** Messages per day (UTC) with a publishable key. */
  @Column('int', { nullable: true }) dailyLimit!: number | null;
  /** The day that `messages` counts. */
  @Column('date', { nullable: true }) messagesOn!: string | null;
  @Column('int', { nullable: true }) messages!: number | null;
  @CreatedAt() createdAt!: Date;
}
