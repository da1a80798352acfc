import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../connection/columns.js';

/** An account at a model provider that hit a rate limit: no worker uses it until the given time. */
@Entity('provider_pauses')
export class ProviderPauseEntity {
  /** Identifies the account without revealing its key. */
  @PrimaryColumn('text') account!: string;
  @InstantColumn() until!: Date;
}
