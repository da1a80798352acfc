import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { IdColumn } from '../connection/columns.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { PersonEntity } from '../organizations/person.entity.js';

/** What an identity provider says of a person over SCIM, besides name and e-mail. */
@Entity('scim_users')
@Unique(['organizationId', 'userNameKey'])
@Unique(['organizationId', 'externalId'])
export class ScimUserEntity {
  @PrimaryColumn('uuid') @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' }) personId!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') userName!: string;
  /** In lower case: two names that differ in case alone are one user. */
  @Column('text') userNameKey!: string;
  @Column('text', { nullable: true }) externalId!: string | null;
  @Column('text', { nullable: true }) givenName!: string | null;
  @Column('text', { nullable: true }) familyName!: string | null;
}
