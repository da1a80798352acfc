import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** A provider's account that asked for patience: until then no worker sends it anything. */
@Entity('provider_pauses')
export class ProviderPauseEntity {
  /** Names the account without giving its key away. */
  @PrimaryColumn('text') account!: string;
  @InstantColumn() until!: Date;
}
