import { Column, Entity, PrimaryColumn } from 'typeorm';
import { UpdatedAt } from '../connection/columns.js';

/** A model that was chosen while the service runs, for the whole installation. */
@Entity('model_settings')
export class ModelSettingEntity {
  /** What the model does: `embedding`, `chat` or `rerank`. */
  @PrimaryColumn('text') kind!: string;
  /** `<provider>:<model>`; for embedding models of this machine, as in EMBEDDING_MODEL. */
  @Column('text') name!: string;
  /** Address of the server; null for that of the provider, and for models of this machine. */
  @Column('text', { nullable: true }) baseUrl!: string | null;
  /** The encrypted key; null if there is none. */
  @Column('text', { nullable: true }) sealedKey!: string | null;
  @UpdatedAt() updatedAt!: Date;
}
