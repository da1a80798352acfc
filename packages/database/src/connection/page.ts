/** One page of a list, newest first. The cursor is the last id of the page before: ids sort by time. */
export interface Page {
  limit: number;
  cursor?: string | undefined;
}
