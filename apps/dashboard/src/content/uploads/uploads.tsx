import type { Datasource } from '@citewell/sdk';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { client } from '../../client.js';
import { createLimit, isLeftOut, joinCalls, pathOf, replacedName, uploadName } from './upload-rules.js';

const REQUEST_KEY_BYTES = 16;

const PARALLEL_UPLOADS = 3;
const inTurn = createLimit(PARALLEL_UPLOADS);

/** A file on its way to the server. It is in the list until its datasource exists. */
export interface Upload {
  readonly id: number;
  readonly datastoreId: string;
  readonly name: string;
  readonly file: File;
  /** The datasource whose file it replaces; null for a new one. */
  readonly replaces: string | null;
  /** Whether it may repeat a file of the library. */
  readonly allowsDuplicate: boolean;
  /** 0 to 100; null while it is waiting. */
  readonly percent: number | null;
  /** Why it failed; null while it is waiting or under way. */
  readonly error: unknown;
}

type Target = Pick<Datasource, 'id' | 'name' | 'datastoreId'>;

interface Uploads {
  readonly uploads: readonly Upload[];
  /** How many files of folders were left out, because they are hidden or belong to programs. */
  readonly leftOut: number;
  add(datastoreId: string, files: readonly File[]): void;
  /** Gives a datasource a new file. */
  replace(datasource: Target, file: File): void;
  /** Sends a failed upload again, with the changed fields. */
  retry(upload: Upload, changes?: Partial<Pick<Upload, 'replaces' | 'allowsDuplicate'>>): void;
  /** Removes a failed upload from the list. */
  dismiss(id: number): void;
  dismissLeftOut(): void;
}

const UploadsContext = createContext<Uploads | null>(null);

/** The uploads of this window. They continue while the user visits other pages. */
export function useUploads(): Uploads {
  const uploads = use(UploadsContext);
  if (uploads === null) throw new Error('useUploads needs an UploadsProvider');
  return uploads;
}

let lastId = 0;

export function UploadsProvider({ children }: { children: ReactNode }): ReactNode {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [leftOut, setLeftOut] = useState(0);
  const queryClient = useQueryClient();

  const readLists = useMemo(
    () =>
      joinCalls(async () => {
        const lists = { queryKey: ['datasources'] };
        // A list that is read for the first time would not be read again, and it may have been read before the upload.
        await queryClient.cancelQueries(lists);
        await queryClient.invalidateQueries(lists);
      }),
    [queryClient],
  );
  const send = useCallback(
    async (upload: Upload): Promise<void> => {
      const { id } = upload;
      try {
        await inTurn(() => {
          change(setUploads, id, { percent: 0, error: null });
          return sendFile(upload, (percent) => change(setUploads, id, { percent }));
        });
        // The datasource joins the lists before the upload leaves them: a document never seems to be missing.
        await readLists();
        setUploads((current) => current.filter((other) => other.id !== id));
      } catch (error) {
        change(setUploads, id, { error });
      }
    },
    [readLists],
  );
  const enqueue = useCallback(
    (added: readonly Pick<Upload, 'datastoreId' | 'file' | 'name' | 'replaces'>[]): void => {
      const complete = added.map((upload) => ({
        ...upload,
        id: (lastId += 1),
        allowsDuplicate: false,
        percent: null,
        error: null,
      }));
      // A new file for a document takes the place of one that failed.
      const replaced = new Set(added.map(({ replaces }) => replaces).filter((id) => id !== null));
      const isOutdated = ({ replaces, error }: Upload): boolean =>
        replaces !== null && error !== null && replaced.has(replaces);
      setUploads((current) => [...current.filter((upload) => !isOutdated(upload)), ...complete]);
      for (const upload of complete) void send(upload);
    },
    [send],
  );
  const actions = useMemo(
    () => ({
      add: (datastoreId: string, files: readonly File[]): void => {
        const kept = files.filter((file) => !isLeftOut(pathOf(file)));
        setLeftOut(files.length - kept.length);
        enqueue(kept.map((file) => ({ datastoreId, file, name: uploadName(pathOf(file)), replaces: null })));
      },
      replace: ({ id, name, datastoreId }: Target, file: File): void =>
        enqueue([{ datastoreId, file, name: replacedName(name, file.name), replaces: id }]),
      retry: (upload: Upload, changes: Partial<Upload> = {}): void => {
        change(setUploads, upload.id, { ...changes, percent: null, error: null });
        void send({ ...upload, ...changes });
      },
      dismiss: (id: number): void => setUploads((current) => current.filter((upload) => upload.id !== id)),
      dismissLeftOut: (): void => setLeftOut(0),
    }),
    [enqueue, send],
  );
  const isPending = uploads.some(({ error }) => error === null);
  useEffect(() => {
    if (!isPending) return;
    // The browser asks before it closes the window.
    const keep = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [isPending]);
  const value = useMemo(() => ({ ...actions, uploads, leftOut }), [actions, uploads, leftOut]);
  return <UploadsContext value={value}>{children}</UploadsContext>;
}

async function sendFile(
  { datastoreId, name, file, replaces, allowsDuplicate }: Upload,
  onPercent: (percent: number) => void,
): Promise<void> {
  const sent = { file, fileName: name };
  const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number | null }): void =>
    onPercent(totalBytes === null ? 0 : Math.floor((sentBytes / totalBytes) * 100));
  if (replaces !== null) await client.datasources.replaceFile(replaces, sent, { onProgress });
  else
    await client.datasources.upload(
      { ...sent, datastoreId, duplicates: allowsDuplicate ? 'allow' : 'refuse' },
      { idempotencyKey: requestKey(), onProgress },
    );
}

function change(
  setUploads: Dispatch<SetStateAction<readonly Upload[]>>,
  id: number,
  fields: Partial<Upload>,
): void {
  setUploads((current) => current.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
}

/** An idempotency key. `crypto.randomUUID` exists only in pages of HTTPS and of the own computer. */
function requestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(REQUEST_KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
