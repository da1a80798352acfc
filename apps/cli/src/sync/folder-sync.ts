import type { Citewell, Datasource } from '@citewell/sdk';
import { NotFoundError } from '@citewell/sdk';
import { fileFromPath } from '@citewell/sdk/node';
import { sendOnce } from '../add/source.js';
import { newTally, type Tally } from '../add/tally.js';
import { describeError } from '../describe-error.js';
import { inParallel } from '../in-parallel.js';
import { isAboutService, patiently } from '../patiently.js';
import { inOneLine, showProgress } from '../terminal/output.js';
import { type FoundFile, type Listing, type LocalFolder, versionOf } from './local-files.js';
import { planSync, type SyncedDocument, type SyncPlan } from './plan-sync.js';

/** Stands for a datastore that would be created: it has no documents. */
export const UNMADE_DATASTORE = '';

const DATASOURCES_PER_PAGE = 100;
const PARALLEL_UPLOADS = 4;

export interface SyncTally extends Tally {
  moved: number;
  removed: number;
  /** Documents whose files cannot be read now. */
  kept: number;
}

/** What a sync does with a document. `from` is the former name of one that is moved. */
export interface SyncAction {
  readonly action: 'added' | 'replaced' | 'moved' | 'removed' | 'failed';
  readonly name: string;
  readonly from?: string;
  readonly id?: string;
  readonly reason?: string;
}

/** So many documents are gone that nothing was changed. */
export class SuspiciousFolderError extends Error {
  constructor({ gone, total }: { gone: number; total: number }, label: string) {
    super(
      `${gone} of ${total} documents are not in the folder any more. Nothing was changed. If the folder has really shrunk, ` +
        `run the command again with --yes. If "${label}" is the name of another folder, choose a name with --as.`,
    );
    this.name = 'SuspiciousFolderError';
  }
}

interface Pass {
  readonly signal: AbortSignal;
  /** Removes documents however many they are. */
  readonly removesMany: boolean;
  /** Only tells what would be done. */
  readonly isDry: boolean;
  onAction(action: SyncAction): void;
}

/**
 * Makes a datastore as a folder is. The service remembers everything: each change is one request, so that a sync that was
 * killed goes on with the next one.
 */
export class FolderSync {
  /** Documents by custom id, as far as they are known; null before they are listed. */
  private documents: Map<string, SyncedDocument> | null = null;

  constructor(
    private readonly client: Pick<Citewell, 'datasources'>,
    private readonly datastoreId: string,
    private readonly folder: LocalFolder,
    private readonly label: string,
  ) {}

  /** Lists the documents again at the next {@link run}: others may have changed them. */
  forget(): void {
    this.documents = null;
  }

  /**
   * Lists the folder to its end, and then makes the changes: first moves, then uploads, and removals at last.
   *
   * @throws SuspiciousFolderError before anything is changed; errors of the service or the folder as a whole
   */
  async run(pass: Pass): Promise<{ tally: SyncTally; listing: Listing; uploaded: ReadonlySet<string> }> {
    const listing = await this.folder.list(
      (done, total) => showProgress(`${done} of ${total} files are compared`),
      pass.signal,
    );
    const { known, duplicates } = await this.list(pass.signal);
    const plan = planSync(listing.files, [...known.values(), ...duplicates], {
      isKept: (document) => listing.isThere(document.customId) && !this.folder.isLeftOut(document),
      isLeftOut: (document) => this.folder.isLeftOut(document),
    });
    if (plan.suspicious && !pass.removesMany) throw new SuspiciousFolderError(plan.suspicious, this.label);
    const { unchanged, kept } = plan;
    const tally: SyncTally = { ...newTally(), moved: 0, removed: 0, unchanged, kept };
    for (const { path, reason } of listing.failed) this.fail(pass, tally, path, reason);
    const uploaded = new Set<string>();
    try {
      await this.execute(plan, pass, tally, uploaded);
    } catch (error) {
      this.forget();
      if (!pass.signal.aborted) throw error;
    }
    const done = tally.added + tally.replaced + tally.moved + tally.removed;
    const wanted = plan.moves.length + plan.uploads.length + plan.removals.length;
    tally['not sent'] = pass.signal.aborted ? Math.max(0, wanted - done) : 0;
    return { tally, listing, uploaded };
  }

  private async execute(
    { moves, uploads, removals }: SyncPlan<FoundFile>,
    pass: Pass,
    tally: SyncTally,
    uploaded: Set<string>,
  ): Promise<void> {
    const { signal, isDry } = pass;
    const known = this.documents ?? new Map<string, SyncedDocument>();
    for (const { document, file } of moves) {
      const { name, customId } = file;
      await this.attempt(pass, tally, file, async () => {
        if (!isDry)
          await patiently(
            () => this.client.datasources.update(document.id, { name, customId }, { signal }),
            signal,
          );
        known.delete(document.customId);
        known.set(customId, { ...document, name, customId });
        pass.onAction({ action: 'moved', name, from: document.name, id: document.id });
        tally.moved += 1;
      });
    }
    let sent = 0;
    await inParallel(uploads, PARALLEL_UPLOADS, async (file) => {
      await this.attempt(pass, tally, file, async () => {
        const before = known.get(file.customId);
        const datasource = isDry ? undefined : await this.upload(file, signal);
        if (datasource) {
          known.set(file.customId, datasource as SyncedDocument);
          uploaded.add(datasource.id);
        }
        const action = before === undefined ? 'added' : 'replaced';
        pass.onAction({ action, name: file.name, ...(datasource && { id: datasource.id }) });
        tally[action] += 1;
      });
      showProgress(`${(sent += 1)} of ${uploads.length} files are sent`);
    });
    await inParallel(removals, PARALLEL_UPLOADS, async (document) => {
      await this.attempt(pass, tally, document, async () => {
        if (!isDry) await this.remove(document.id, signal);
        if (known.get(document.customId)?.id === document.id) known.delete(document.customId);
        pass.onAction({ action: 'removed', name: document.name, id: document.id });
        tally.removed += 1;
      });
    });
  }

  /** Documents that earlier syncs of this folder have made, and further ones with the same custom ids. */
  private async list(
    signal: AbortSignal,
  ): Promise<{ known: Map<string, SyncedDocument>; duplicates: SyncedDocument[] }> {
    if (this.datastoreId === UNMADE_DATASTORE) this.documents = new Map();
    if (this.documents !== null) return { known: this.documents, duplicates: [] };
    const known = new Map<string, SyncedDocument>();
    const duplicates: SyncedDocument[] = [];
    const query = { datastoreId: this.datastoreId, limit: DATASOURCES_PER_PAGE };
    for await (const { id, name, customId, sha256 } of this.client.datasources.list(query, { signal })) {
      if (!customId?.startsWith(this.folder.prefix)) continue;
      const document = { id, name, customId, sha256 };
      if (known.has(customId)) duplicates.push(document);
      else known.set(customId, document);
    }
    this.documents = known;
    return { known, duplicates };
  }

  private async upload(file: FoundFile, signal: AbortSignal): Promise<Datasource> {
    const { absolute, customId, name: fileName, modifiedAt } = file;
    try {
      const { file: blob } = await fileFromPath(absolute);
      const metadata = { modifiedAt: modifiedAt.toISOString() };
      const form = { datastoreId: this.datastoreId, file: blob, fileName, customId, metadata, upsert: true };
      const options = { ...sendOnce(), signal };
      return await patiently(() => this.client.datasources.upload(form, options), signal);
    } catch (error) {
      if ((await versionOf(absolute).catch(() => '')) !== file.version && !signal.aborted)
        throw new Error('It was changed while it was read. The next sync adds it.', { cause: error });
      throw error;
    }
  }

  private async remove(id: string, signal: AbortSignal): Promise<void> {
    try {
      await patiently(() => this.client.datasources.delete(id, { signal }), signal);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** Tells and counts a failure of one document. @throws what all others would fail of, too */
  private async attempt(
    pass: Pass,
    tally: SyncTally,
    { name }: { name: string },
    work: () => Promise<void>,
  ): Promise<void> {
    pass.signal.throwIfAborted();
    try {
      await work();
    } catch (error) {
      if (pass.signal.aborted || isAboutService(error)) throw error;
      this.fail(pass, tally, name, error);
      this.forget();
    }
  }

  private fail(pass: Pass, tally: SyncTally, name: string, error: unknown): void {
    pass.onAction({ action: 'failed', name, reason: inOneLine(describeError(error).message) });
    tally.failed += 1;
  }
}
