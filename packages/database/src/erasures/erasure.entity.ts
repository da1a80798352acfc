import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, InstantColumn } from '../connection/columns.js';

/** How much an organization owns, by kind. */
export interface OwnedCounts {
  datastores: number;
  datasources: number;
  /** In the vector store. */
  chunks: number;
  /** Originals, fetched pages, and what was made of them. */
  blobs: number;
  agents: number;
  conversations: number;
  messages: number;
  evaluations: number;
  people: number;
  apiKeys: number;
  webhooks: number;
}

/** The deletion of an organization. The row stays as evidence: it has figures, and nothing else of the organization. */
@Entity('erasures')
@Index('erasures_in_progress', ['id'], { where: 'completed_at IS NULL' })
export class ErasureEntity {
  /** That of the organization. */
  @PrimaryColumn('uuid') id!: string;
  /** What there was when the deletion was requested. */
  @Column('jsonb') found!: OwnedCounts;
  @CreatedAt() createdAt!: Date;
  /** When nothing was left, neither rows nor vectors nor files. */
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
}
