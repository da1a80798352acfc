/** A step of the preparation of a local model, such as a download. */
export interface Progress {
  readonly step: 'installing' | 'downloading' | 'loading';
  readonly text: string;
  /** Part that is done, 0..1. Absent if unknown. */
  readonly done?: number;
}

/** Is called when a step begins, and while it goes on. */
export type OnProgress = (progress: Progress) => void;
