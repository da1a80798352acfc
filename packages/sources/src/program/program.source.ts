import { Readable } from 'node:stream';
import type { ProgramSourceConfig } from '@citewell/contracts/schemas';
import type { z } from 'zod';
import {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceDocument,
  SourceError,
  type SourceGroup,
} from '../source.js';
import {
  checkLineSchema,
  contentLineSchema,
  documentSchema,
  type ErrorLine,
  identifiedDocumentSchema,
  inventoryLineSchema,
  versionLineSchema,
} from './program-lines.js';
import { type ProgramLimits, ProgramProcess } from './program-process.js';

const PAGE_DOCUMENTS = 500;
const MAX_SENTENCE_CHARACTERS = 500;
const LIMITS: ProgramLimits = { silenceMs: 120_000, lineBytes: 4 * 1024 ** 2 };

interface ProgramContext {
  /** Commands that the operator allows, by name. */
  readonly programs?: Readonly<Record<string, readonly string[]>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * A source behind a program of the operator, which speaks the protocol of docs/sources-program.md. A program answers one
 * request at a time; more requests start it again. Idle programs are kept until the source is closed.
 */
export class ProgramSource implements Source {
  private readonly idle: ProgramProcess[] = [];
  private readonly busy = new Set<ProgramProcess>();

  private constructor(
    private readonly command: readonly [string, ...string[]],
    private readonly env: Readonly<Record<string, string>>,
    private readonly limits: ProgramLimits,
  ) {}

  /** @throws SourceError `denied` if the operator does not allow the program */
  static open(
    { program, settings = '' }: ProgramSourceConfig,
    { programs = {}, secrets: { secret = '' } }: ProgramContext,
    limits: Partial<ProgramLimits> = {},
  ): ProgramSource {
    const [command, ...args] = (Object.hasOwn(programs, program) ? programs[program] : undefined) ?? [];
    if (command === undefined)
      throw new SourceError(
        'denied',
        `The operator of the server does not allow a program named ${program}. The setting SOURCE_PROGRAMS names those that are allowed.`,
      );
    return new ProgramSource(
      [command, ...args],
      { SETTINGS: settings, SECRET: secret },
      { ...LIMITS, ...limits },
    );
  }

  async check(signal: AbortSignal): Promise<string> {
    const program = this.ask({ request: 'check' });
    try {
      const { message } = await this.read(program, checkLineSchema, signal);
      return this.sentence(message);
    } finally {
      this.putBack(program);
    }
  }

  /** The cursor of a page is that of the program as JSON, because null has another meaning there. */
  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    let start = cursor === null ? null : (JSON.parse(cursor) as string | null);
    for (;;) {
      const end = yield* this.answers(start, signal);
      if (end === null) return;
      if (end === start)
        throw new SourceError('unavailable', 'The program answers with the cursor that it was asked for.');
      start = end;
    }
  }

  async fetch(
    { id, path }: Pick<SourceDocument, 'id' | 'path'>,
    signal: AbortSignal,
  ): Promise<FetchedDocument> {
    const program = this.ask({ request: 'fetch', id, path });
    try {
      const { version, mediaType } = await this.read(program, versionLineSchema, signal);
      const content = Readable.from(this.contentOf(program, path, signal), { objectMode: false });
      // Also when nobody has begun to read.
      content.once('close', () => this.putBack(program));
      return { version, ...(mediaType && { mediaType }), content };
    } catch (error) {
      this.putBack(program);
      throw fetchError(program, path, error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.idle.splice(0), ...this.busy].map((program) => program.end()));
  }

  /** Yields the pages of one request. @returns the cursor of the program */
  private async *answers(
    start: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<InventoryPage, string | null> {
    const program = this.ask({ request: 'inventory', cursor: start });
    let page = emptyPage();
    try {
      for (;;) {
        const line = await this.read(program, inventoryLineSchema, signal);
        if ('done' in line) {
          yield { ...page, cursor: line.cursor === null ? null : JSON.stringify(line.cursor) };
          return line.cursor;
        }
        // Until its end, another process has to ask for this answer again.
        if (page.documents.length + page.skipped.length + page.groups.length >= PAGE_DOCUMENTS) {
          yield { ...page, cursor: JSON.stringify(start) };
          page = emptyPage();
        }
        if ('group' in line) page.groups.push(line.group);
        else if ('skipped' in line)
          page.skipped.push({
            id: line.skipped.id,
            path: line.skipped.path,
            reason: this.sentence(line.skipped.reason),
            isFolder: line.skipped.isFolder ?? false,
            isRestricted: isRestricted(line.skipped.access),
          });
        else this.addDocument(line.document, page);
      }
    } finally {
      this.putBack(program);
    }
  }

  private addDocument(line: unknown, page: ReturnType<typeof emptyPage>): void {
    const { success, data, error } = documentSchema.safeParse(line);
    if (success) {
      const { bytes, modifiedAt, url, ...rest } = data;
      page.documents.push({
        ...rest,
        ...(url !== undefined && { url }),
        bytes: bytes ?? null,
        modifiedAt: modifiedAt ? new Date(modifiedAt) : null,
      });
      return;
    }
    const identified = identifiedDocumentSchema.safeParse(line);
    if (!identified.success) throw misunderstood(error);
    const { access, ...names } = identified.data;
    const reason = misunderstood(error).message;
    page.skipped.push({ ...names, reason, isRestricted: isRestricted(access) });
  }

  private async *contentOf(
    program: ProgramProcess,
    path: string,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const line = await this.read(program, contentLineSchema, signal);
        if ('done' in line) return;
        if (line.content !== '') yield Buffer.from(line.content, 'base64');
      }
    } catch (error) {
      throw fetchError(program, path, error);
    }
  }

  /** Sends a request to a program that is idle, or to a new one. */
  private ask(request: object): ProgramProcess {
    let program = this.idle.pop();
    while (program?.isAlive === false) program = this.idle.pop();
    program ??= ProgramProcess.start(this.command, this.env, this.limits);
    this.busy.add(program);
    program.send(request);
    return program;
  }

  /** Kills a program whose answer was not read to its end. */
  private putBack(program: ProgramProcess): void {
    if (!this.busy.delete(program)) return;
    if (program.isAnswering) program.kill();
    else this.idle.push(program);
  }

  /** @throws SourceError that the program answers, or `unavailable` if the line does not fit the request */
  private async read<Line extends object>(
    program: ProgramProcess,
    schema: z.ZodType<Line>,
    signal: AbortSignal,
  ): Promise<Exclude<Line, ErrorLine>> {
    const { success, data, error } = schema.safeParse(await program.next(signal));
    if (!success) throw misunderstood(error);
    if ('done' in data || 'error' in data) program.isAnswering = false;
    if (!isError(data)) return data as Exclude<Line, ErrorLine>;
    const { error: kind, message, retryAfterMs } = data;
    throw new SourceError(kind, this.sentence(message), retryAfterMs === undefined ? {} : { retryAfterMs });
  }

  /** A text of the program for users: one line, without the secret. */
  private sentence(text: string): string {
    const { SECRET: secret = '' } = this.env;
    const open = secret === '' ? text : text.replaceAll(secret, '•••');
    return open.replace(/\s+/g, ' ').slice(0, MAX_SENTENCE_CHARACTERS);
  }
}

function emptyPage(): { documents: SourceDocument[]; skipped: SkippedDocument[]; groups: SourceGroup[] } {
  return { documents: [], skipped: [], groups: [] };
}

/** Whether a line names readers, in whatever form. */
function isRestricted(access: unknown): boolean {
  return access !== undefined && access !== 'library';
}

function isError(line: object): line is ErrorLine {
  return 'error' in line;
}

function misunderstood(error: z.ZodError): SourceError {
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  return new SourceError(
    'unavailable',
    `The program wrote a line that does not fit the request${field === '' ? '' : ` (${field}: ${issue?.message ?? ''})`}.`,
  );
}

/** A document at which the program fails is unreadable, so that the others are read. */
function fetchError(program: ProgramProcess, path: string, error: unknown): unknown {
  if (!program.isAnswering || !(error instanceof SourceError)) return error;
  return new SourceError('unreadable', `${path} could not be read. ${error.message}`, { cause: error });
}
