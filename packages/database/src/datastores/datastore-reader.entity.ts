import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { IdColumn } from '../connection/columns.js';
import { GroupEntity } from '../groups/group.entity.js';
import { PersonEntity } from '../organizations/person.entity.js';
import { DatastoreEntity } from './datastore.entity.js';

/** A person or a group of people who may read a datastore whose readers are chosen. */
@Entity('datastore_readers')
@ForeignKey(() => DatastoreEntity, ['organizationId', 'datastoreId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => PersonEntity, ['organizationId', 'personId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => GroupEntity, ['organizationId', 'groupId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Unique(['datastoreId', 'personId'])
@Unique(['datastoreId', 'groupId'])
@Index(['organizationId', 'personId', 'datastoreId'])
@Index(['organizationId', 'groupId', 'datastoreId'])
@Check('datastore_readers_one', 'num_nonnulls(person_id, group_id) = 1')
export class DatastoreReaderEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() organizationId!: string;
  @IdColumn() datastoreId!: string;
  /** Null: the reader is a group. */
  @Column('uuid', { nullable: true }) personId!: string | null;
  /** Null: the reader is a person. */
  @Column('uuid', { nullable: true }) groupId!: string | null;
}
