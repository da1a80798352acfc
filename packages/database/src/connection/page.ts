import { type FindOperator, LessThan } from 'typeorm';
import { isId } from './new-id.js';

/** One page of a list, newest first. The cursor is the last id of the previous page: ids sort by time. */
export interface Page {
  limit: number;
  cursor?: string | undefined;
}

/** A condition on rows with an `id`: they come after the cursor of the page. A cursor that is not an id is ignored. */
export function afterCursor({ cursor }: Page): { id?: FindOperator<string> } {
  return cursor !== undefined && isId(cursor) ? { id: LessThan(cursor) } : {};
}
