import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

type Engine = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const CANVAS = '@napi-rs/canvas';
const NO_CANVAS = 'citewell:no-canvas';

let engine: Promise<Engine> | undefined;

/** Starts opening a PDF. The engine takes ownership of the bytes. The caller must destroy the task. */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<PDFDocumentLoadingTask> {
  const { getDocument, VerbosityLevel } = await (engine ??= loadEngine());
  return getDocument({
    data: bytes,
    // CJK files refer to predefined character maps that are not embedded.
    cMapUrl: join(ENGINE_FOLDER, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(ENGINE_FOLDER, 'standard_fonts/'),
    // Text extraction needs neither glyphs nor images.
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    // For the font names that `BoldFonts` uses.
    fontExtraProperties: true,
    enableXfa: false,
    maxImageSize: 0,
    verbosity: VerbosityLevel.ERRORS,
  });
}

/** The constants of the engine. */
export function pdfEngine(): Promise<Pick<Engine, 'AnnotationMode' | 'OPS'>> {
  return (engine ??= loadEngine());
}

/**
 * Loads the engine without its native canvas library (40 MB), because nothing is drawn: an empty module
 * replaces the library. Empty classes replace the browser classes whose absence the engine would log as
 * warnings.
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

/** The names of the engine's exceptions. */
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
 * Runs `work` and ignores unhandled rejections of the engine. On damaged files the engine rejects promises
 * that nobody awaits, in addition to the error that it returns, and Node would end the process. Other
 * unhandled rejections still end the process.
 */
export async function withEngineErrorsContained<T>(work: () => Promise<T>): Promise<T> {
  process.on('unhandledRejection', rethrowOthers);
  try {
    return await work();
  } finally {
    // `unhandledRejection` events of the last rejections are emitted after the current event loop phase.
    setImmediate(() => process.off('unhandledRejection', rethrowOthers));
  }
}

function rethrowOthers(reason: unknown): void {
  // Not instanceof: some exception classes of the engine do not extend Error.
  if (typeof reason === 'object' && reason !== null && ENGINE_ERRORS.has(String(Reflect.get(reason, 'name'))))
    return;
  throw reason;
}
