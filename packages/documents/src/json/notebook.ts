import { withoutDataUrls } from '../text-decoding/text-content.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { ParserInput } from '../document-parser.js';
import { addHtml } from '../html/html.parser.js';

/** Text is one string, or a list of lines with their line breaks. */
type NotebookText = string | readonly string[] | undefined;

interface Output {
  /** Standard output, or the text of an output of version 3. */
  readonly text?: NotebookText;
  /** The forms of a result by MIME type. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly traceback?: NotebookText;
}

interface Cell {
  readonly cell_type?: string;
  readonly source?: NotebookText;
  /** The code of version 3. */
  readonly input?: NotebookText;
  readonly level?: number;
  readonly outputs?: readonly Output[];
}

/** A notebook of Jupyter, versions 3 to 4. Version 3 has its cells in worksheets. */
interface Notebook {
  readonly cells?: readonly Cell[];
  readonly worksheets?: readonly { readonly cells?: readonly Cell[] }[];
}

export function isNotebook(value: unknown): value is Notebook {
  if (typeof value !== 'object' || value === null || !('nbformat' in value)) return false;
  return ['cells', 'worksheets'].some((name) => Array.isArray(Reflect.get(value, name)));
}

/** Adds the cells of a notebook as Jupyter shows them: text, code, and results. Pictures are named. */
export async function addNotebook(
  { cells, worksheets = [] }: Notebook,
  input: ParserInput,
  builder: DocumentBuilder,
): Promise<void> {
  const markdown = await input.parserOf('text/markdown');
  for (const cell of cells ?? worksheets.flatMap((sheet) => sheet.cells ?? [])) {
    const source = textOf(cell.source ?? cell.input);
    if (cell.cell_type === 'code') builder.block('code', source);
    else if (cell.cell_type === 'heading') builder.heading(cell.level ?? 1, source);
    else
      await markdown.parse(
        { ...input, bytes: new Uint8Array(Buffer.from(source)), encoding: 'utf-8' },
        builder,
      );
    for (const output of cell.outputs ?? []) addOutput(output, builder);
  }
}

function addOutput({ text, data = {}, traceback }: Output, builder: DocumentBuilder): void {
  const form = (type: string): string => textOf(data[type] as NotebookText);
  const picture = Object.keys(data).find((type) => type.startsWith('image/'));
  if (form('text/html') !== '') addHtml(form('text/html'), builder);
  else if (picture !== undefined) builder.block('caption', `[${picture}]`);
  else
    builder.block(
      'code',
      form('text/markdown') ||
        form('text/latex') ||
        form('text/plain') ||
        textOf(text) ||
        textOf(traceback, '\n'),
    );
}

function textOf(text: NotebookText, separator = ''): string {
  return withoutDataUrls(Array.isArray(text) ? text.join(separator) : typeof text === 'string' ? text : '');
}
