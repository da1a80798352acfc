import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

type Engine = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

let engine: Promise<Engine> | undefined;

/**
 * Starts opening a PDF. The engine takes ownership of the bytes. The caller must destroy the task.
 *
 * @param options.enableXfa whether the pages of an XFA form are those of the form
 */
export async function openPdf(
  bytes: Uint8Array,
  { enableXfa = true }: { readonly enableXfa?: boolean } = {},
): Promise<PDFDocumentLoadingTask> {
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
    // For the font names that `PageFonts` reads.
    fontExtraProperties: true,
    enableXfa,
    maxImageSize: 0,
    verbosity: VerbosityLevel.ERRORS,
  });
}

/** The constants of the engine. */
export function pdfEngine(): Promise<Pick<Engine, 'AnnotationMode' | 'OPS'>> {
  return (engine ??= loadEngine());
}

/**
 * Loads the engine without its native canvas library, which `pnpm-workspace.yaml` removes: nothing is drawn. Empty
 * classes take the place of the browser classes that the library would provide. The engine's warning that the library
 * is missing is not printed.
 */
async function loadEngine(): Promise<Engine> {
  for (const name of ['DOMMatrix', 'Path2D']) {
    if (!(name in globalThis)) Reflect.set(globalThis, name, class {});
  }
  /* oxlint-disable no-console */
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
  /* oxlint-enable no-console */
}

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
  // Exceptions of the engine that do not extend Error have the stack of their class.
  const stack: unknown = typeof reason === 'object' && reason !== null ? Reflect.get(reason, 'stack') : null;
  if (typeof stack !== 'string' || !stack.includes('pdfjs-dist')) throw reason;
}
