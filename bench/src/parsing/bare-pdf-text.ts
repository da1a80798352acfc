import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * The text items of a PDF as pdf.js returns them, without layout analysis: the baseline for the parser's
 * speed.
 */
export async function extractBareText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const task = getDocument({
    data: bytes,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    maxImageSize: 0,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await task.promise;
    let text = '';
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
      page.cleanup();
    }
    return text;
  } finally {
    await task.destroy();
  }
}
