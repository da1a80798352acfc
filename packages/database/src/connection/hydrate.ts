import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

/** Turns rows as the driver returns them (`RETURNING *`, `SELECT t.*`) into entities. */
export function hydrate<Entity extends ObjectLiteral>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  rows: readonly Record<string, unknown>[],
): Entity[] {
  const { columns } = dataSource.getMetadata(target);
  return rows.map((row) => {
    const entity = dataSource.manager.create(target);
    for (const column of columns) {
      column.setEntityValue(entity, dataSource.driver.prepareHydratedValue(row[column.databaseName], column));
    }
    return entity;
  });
}

/** As {@link hydrate}, for one row; null without a row. */
export function hydrateOne<Entity extends ObjectLiteral>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  row: Record<string, unknown> | null | undefined,
): Entity | null {
  return row ? (hydrate(dataSource, target, [row])[0] ?? null) : null;
}
