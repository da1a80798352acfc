import type { DataSource } from 'typeorm';
import { queryRow, sql } from '../connection/sql.js';
import { PictureDescriptionEntity } from '../schema/content.entities.js';

/** A picture of a document, and the model that describes it. */
export type DescribedPicture = Pick<
  PictureDescriptionEntity,
  'organizationId' | 'datasourceId' | 'picture' | 'model'
>;

/** What models say about pictures. A description is deleted with its document. */
export class PictureDescriptionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The description of the same picture in any document of the organization; null if there is none. */
  async find({ organizationId, picture, model }: DescribedPicture): Promise<string | null> {
    const row = await queryRow<{ description: string }>(
      this.dataSource,
      sql`SELECT description FROM picture_descriptions
           WHERE organization_id = ${organizationId} AND picture = ${picture} AND model = ${model} LIMIT 1`,
    );
    return row?.description ?? null;
  }

  /** Stores a description for a document. One that is stored stays. */
  async store(described: DescribedPicture, description: string): Promise<void> {
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(PictureDescriptionEntity)
      .values({ ...described, description })
      .orIgnore()
      .execute();
  }
}
