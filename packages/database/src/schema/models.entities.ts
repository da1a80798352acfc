import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn, UpdatedAt } from './columns.js';
import { OrganizationEntity } from './tenancy.entities.js';

/** A model that was chosen while the service runs, for the whole installation or for one organization. */
@Entity('model_settings')
@Index('model_settings_installation', ['kind'], { unique: true, where: 'organization_id IS NULL' })
@Index('model_settings_organization', ['organizationId', 'kind'], { unique: true })
export class ModelSettingEntity {
  @PrimaryColumn('uuid') id!: string;
  /** Null for the choice of the installation. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' })
  organizationId!: string | null;
  /** What the model does: `embedding`, `chat`, `rerank` or `pictures`. */
  @Column('text') kind!: string;
  /** `<provider>:<model>`; for embedding models of this machine, as in EMBEDDING_MODEL. */
  @Column('text') name!: string;
  /** Address of the server; null for that of the provider, and for models of this machine. */
  @Column('text', { nullable: true }) baseUrl!: string | null;
  /** The encrypted key; null if there is none. */
  @Column('text', { nullable: true }) sealedKey!: string | null;
  @UpdatedAt() updatedAt!: Date;
}

/** An account at a model provider that hit a rate limit: no worker uses it until the given time. */
@Entity('provider_pauses')
export class ProviderPauseEntity {
  /** Identifies the account without revealing its key. */
  @PrimaryColumn('text') account!: string;
  @InstantColumn() until!: Date;
}
