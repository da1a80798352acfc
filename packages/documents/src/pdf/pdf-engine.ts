import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

type Engine = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const CANVAS = '@napi-rs/canvas';
const NO_CANVAS = 'citewell:no-canvas';

let engine: Promise<Engine> | undefined;

/** Begins to open a PDF. The engine takes the bytes over. The caller destroys the task. */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<PDFDocumentLoadingTask> {
  const { getDocument, VerbosityLevel } = await (engine ??= loadEngine());
  return getDocument({
    data: bytes,
    // Character maps of Chinese, Japanese and Korean files are not inside of them.
    cMapUrl: join(ENGINE_FOLDER, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(ENGINE_FOLDER, 'standard_fonts/'),
    // Text needs neither glyphs nor pictures.
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    // The names of fonts; see `BoldFonts`.
    fontExtraProperties: true,
    enableXfa: false,
    maxImageSize: 0,
    verbosity: VerbosityLevel.ERRORS,
  });
}

/** The engine, for the numbers that it calls things by. */
export function pdfEngine(): Promise<Pick<Engine, 'AnnotationMode' | 'OPS'>> {
  return (engine ??= loadEngine());
}

/**
 * The engine looks for a native canvas when it is loaded, and complains about classes of the browser that are missing
 * without one. Nothing is drawn here: an empty module in its place saves a library of 40 MB, and classes that do
 * nothing save the complaints.
 */
async function loadEngine(): Promise<Engine> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === CANVAS
        ? { url: NO_CANVAS, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === NO_CANVAS
        ? { format: 'commonjs', source: 'module.exports = {};', shortCircuit: true }
        : next(url, context),
  });
  try {
    for (const name of ['DOMMatrix', 'Path2D']) {
      if (!(name in globalThis)) Reflect.set(globalThis, name, class {});
    }
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    hooks.deregister();
  }
}

/** Names that the engine gives its exceptions. */
const ENGINE_ERRORS: ReadonlySet<string> = new Set([
  'AbortException',
  'BaseException',
  'FormatError',
  'InvalidPDFException',
  'JpegError',
  'Jbig2Error',
  'JpxError',
  'MissingDataException',
  'ParserEOFException',
  'PasswordException',
  'ResponseException',
  'UnknownErrorException',
  'XRefEntryException',
  'XRefParseException',
]);

/**
 * Runs work with the engine. In damaged files the engine rejects promises that it waits for nowhere, beside failing
 * where it is asked; Node would end the process for that, and one bad page costs no more than itself. Rejections that
 * are not the engine's end the process as ever.
 */
export async function withEngineErrorsContained<T>(work: () => Promise<T>): Promise<T> {
  process.on('unhandledRejection', rethrowOthers);
  try {
    return await work();
  } finally {
    // What was rejected last is announced after this turn.
    setImmediate(() => process.off('unhandledRejection', rethrowOthers));
  }
}

function rethrowOthers(reason: unknown): void {
  // They are errors by their shape: some of the engine's classes were made without the base of the platform.
  if (typeof reason === 'object' && reason !== null && ENGINE_ERRORS.has(String(Reflect.get(reason, 'name'))))
    return;
  throw reason;
}
