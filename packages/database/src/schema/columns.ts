import { Column, type ColumnOptions, CreateDateColumn, UpdateDateColumn } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

const bigintAsNumber = {
  to: (value: number | null): number | null => value,
  from: (value: string | number | null): number | null => (value === null ? null : Number(value)),
};

/** A UUIDv7 made by the application. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => Column('uuid', options);
/** A 64-bit count as a number: counts stay far below 2^53. */
export const CountColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column('bigint', { transformer: bigintAsNumber, ...options });
export const InstantColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column('timestamptz', options);
export const CreatedAt = (): PropertyDecorator => CreateDateColumn({ type: 'timestamptz' });
export const UpdatedAt = (): PropertyDecorator => UpdateDateColumn({ type: 'timestamptz' });

/**
 * Values for an insert or update. TypeORM's own type does not accept JSON columns; this one still checks
 * names and types. A property that is undefined is left out.
 */
export function valuesOf<Entity>(values: {
  [Property in keyof Entity]?: Entity[Property] | undefined;
}): QueryDeepPartialEntity<Entity> {
  return values as QueryDeepPartialEntity<Entity>;
}
