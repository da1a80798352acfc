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
import { client } from '../client.js';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { createLimit } from './limit.js';

/** Files that are uploaded at the same time. */
const PARALLEL = 3;
const inTurn = createLimit(PARALLEL);

/** A file on its way to the server. It is in the list until its datasource exists. */
export interface Upload {
  readonly id: number;
  readonly datastoreId: string;
  readonly name: string;
  readonly file: File;
  /** 0 to 100; null while it is waiting. */
  readonly percent: number | null;
  /** Why it failed; null while it is waiting or under way. */
  readonly failure: string | null;
}

interface Uploads {
  readonly uploads: readonly Upload[];
  add(datastoreId: string, files: readonly File[]): void;
  /** Sends a failed upload again. */
  retry(upload: Upload): void;
  /** Removes a failed upload from the list. */
  dismiss(id: number): void;
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
  const queryClient = useQueryClient();
  const translator = useTranslator();

  const send = useCallback(
    ({ id, datastoreId, name, file }: Upload): Promise<void> =>
      inTurn(async () => {
        change(setUploads, id, { percent: 0, failure: null });
        try {
          await client.datasources.upload(
            { datastoreId, file, fileName: name },
            {
              idempotencyKey: crypto.randomUUID(),
              onProgress: ({ sentBytes, totalBytes }) =>
                change(setUploads, id, { percent: percentOf(sentBytes, totalBytes) }),
            },
          );
          // The datasource joins the lists before the upload leaves them: a document never seems to be missing.
          await queryClient.invalidateQueries({ queryKey: ['datasources'] });
          setUploads((current) => current.filter((upload) => upload.id !== id));
        } catch (error) {
          change(setUploads, id, { failure: errorSentence(error, translator) });
        }
      }),
    [queryClient, translator],
  );
  const add = useCallback(
    (datastoreId: string, files: readonly File[]): void => {
      const added = files.map((file) => ({
        id: (lastId += 1),
        datastoreId,
        file,
        name: nameOf(file),
        percent: null,
        failure: null,
      }));
      setUploads((current) => [...current, ...added]);
      for (const upload of added) void send(upload);
    },
    [send],
  );
  const dismiss = useCallback(
    (id: number): void => setUploads((current) => current.filter((upload) => upload.id !== id)),
    [],
  );
  const isPending = uploads.some(({ failure }) => failure === null);
  useEffect(() => {
    if (!isPending) return;
    // The browser asks before it closes the window.
    const keep = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [isPending]);
  const value = useMemo(
    () => ({ uploads, add, retry: (upload: Upload) => void send(upload), dismiss }),
    [uploads, add, send, dismiss],
  );
  return <UploadsContext value={value}>{children}</UploadsContext>;
}

function change(
  setUploads: Dispatch<SetStateAction<readonly Upload[]>>,
  id: number,
  fields: Partial<Pick<Upload, 'percent' | 'failure'>>,
): void {
  setUploads((current) => current.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
}

function percentOf(sentBytes: number, totalBytes: number | null): number {
  return totalBytes === null ? 0 : Math.floor((sentBytes / totalBytes) * 100);
}

/** The path of a file inside a dropped folder, or its name. */
function nameOf(file: File): string {
  const path = 'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath;
  return path.replace(/^\.?\//, '') || file.name;
}
