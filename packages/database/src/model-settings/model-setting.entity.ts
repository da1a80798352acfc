import { Column, Entity, PrimaryColumn } from 'typeorm';
import { UpdatedAt } from '../connection/columns.js';

/** A model that was chosen while the service runs, for the whole installation. */
@Entity('model_settings')
export class ModelSettingEntity {
  /** What the model does: `embedding`. */
  @PrimaryColumn('text') kind!: string;
  /** As in the variable of this kind, such as EMBEDDING_MODEL. */
  @Column('text') name!: string;
  @UpdatedAt() updatedAt!: Date;
}
