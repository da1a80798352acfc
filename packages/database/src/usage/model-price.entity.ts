import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** What an organization pays for a model. All its prices have one currency. */
@Entity('model_prices')
export class ModelPriceEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string;
  /** Its name at the provider. */
  @PrimaryColumn('text') model!: string;
  @Column('text') currency!: string;
  /** For a million tokens. */
  @Column('numeric') inputPrice!: string;
  @Column('numeric') outputPrice!: string;
}
