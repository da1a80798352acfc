import { Column, type ColumnOptions, CreateDateColumn, UpdateDateColumn } from 'typeorm';

const bigintAsNumber = {
  to: (value: number | null): number | null => value,
  from: (value: string | number | null): number | null => (value === null ? null : Number(value)),
};

/** A UUIDv7 that the application made. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => Column('uuid', options);
/** A 64-bit count; JavaScript numbers are exact far beyond what is counted here. */
export const CountColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column('bigint', { transformer: bigintAsNumber, ...options });
export const InstantColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column('timestamptz', options);
export const CreatedAt = (): PropertyDecorator => CreateDateColumn({ type: 'timestamptz' });
export const UpdatedAt = (): PropertyDecorator => UpdateDateColumn({ type: 'timestamptz' });
