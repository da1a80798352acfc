import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAt, IdColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { PersonEntity } from '../organizations/person.entity.js';

/** People of an organization who may read the same libraries. */
@Entity('groups')
@Unique(['organizationId', 'id'])
@Unique(['organizationId', 'nameKey'])
@Unique(['organizationId', 'externalId'])
export class GroupEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  /** See `groupNameKey`: two groups of an organization do not differ in case alone. */
  @Column('text') nameKey!: string;
  /** The id at the identity provider that manages the group. Null: the group is managed here. */
  @Column('text', { nullable: true }) externalId!: string | null;
  @CreatedAt() createdAt!: Date;
}

/** A person in a group. */
@Entity('group_members')
@ForeignKey(() => GroupEntity, ['organizationId', 'groupId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => PersonEntity, ['organizationId', 'personId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'personId'])
export class GroupMemberEntity {
  @PrimaryColumn('uuid') organizationId!: string;
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') personId!: string;
}
