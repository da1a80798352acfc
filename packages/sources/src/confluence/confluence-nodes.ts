/** People and groups by their ids. Of a restriction, nobody means that everybody may read. */
export interface Readers {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export type PageType = 'page' | 'blogpost';

interface ConfluenceParent {
  readonly id: string;
  readonly type: string;
}

/** A parent that the answer does not tell. No node has its id: it is as one that the account may not read. */
export const UNTOLD_PARENT: ConfluenceParent = { id: '', type: 'page' };

/** A page, a blog post, or something that holds pages, such as a folder. */
export interface ConfluenceNode {
  readonly id: string;
  readonly type: PageType | null;
  readonly title: string;
  /** Null at the top. */
  readonly parent: ConfluenceParent | null;
  readonly version: string;
  readonly modifiedAt: Date | null;
  readonly url: string | null;
  /** Whom its own restriction names; null if it is not known. */
  readonly readers: Readers | null;
}

/** @param isTold whether the answer tells the parent. Blog posts have none */
export function parentOf(
  isTold: boolean,
  parent: ConfluenceParent | undefined,
  type: PageType | null,
): ConfluenceParent | null {
  return parent ?? (isTold || type === 'blogpost' ? null : UNTOLD_PARENT);
}

export function isCurrent({ status }: { status?: string | null | undefined }): boolean {
  return !status || status === 'current';
}

export function versionOf(version: { number: number } | null | undefined): string {
  return String(version?.number ?? 0);
}

export function dateOf(text: string | null | undefined): Date | null {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
