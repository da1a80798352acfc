import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, IdColumn, InstantColumn } from '../connection/columns.js';
import { OrganizationEntity } from './organization.entity.js';

/** A bearer key of one organization. Only its hash is stored. */
@Entity('api_keys')
@Index(['organizationId'])
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
  @CreatedAt() createdAt!: Date;
}
