/** How much of the body of an upload has been sent. The body is the file and about one kilobyte of other fields. */
export interface UploadProgress {
  sentBytes: number;
  /** Null for a stream whose `fileSize` was not given. */
  totalBytes: number | null;
}

/** Called several times per second. It must not throw. */
export type OnUploadProgress = (progress: UploadProgress) => void;
