import { DefaultNamingStrategy } from 'typeorm';

/** Columns are `snake_case` in the database and `camelCase` in entities. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
