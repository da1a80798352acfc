import { parse } from 'csv-parse/sync';
import type { TableWriter } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { decodeText } from '../text-decoding/decode-text.js';
import { detectDelimiter, isHeaderRow } from './csv-dialect.js';

/** As in Excel. The names of the columns are repeated in every chunk of a table. */
const MAX_COLUMNS = 16_384;

/**
 * Reads delimited text (RFC 4180 and its variants) as one table. Ragged rows are kept, and a quote in the
 * middle of a field is an ordinary character. A file with an unclosed quote is read without quoting.
 */
export const csvParser: DocumentParser = {
  async parse({ bytes, declaredEncoding }, builder) {
    const { text, encoding } = await decodeText(bytes, declaredEncoding);
    const delimiter = detectDelimiter(text);
    const collect = (quote: '"' | null): string[][] => {
      const rows: string[][] = [];
      parse(text, {
        delimiter,
        quote,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        record_delimiter: ['\r\n', '\n', '\r'],
        on_record: (record: string[]) => {
          rows.push(record);
          return null;
        },
      });
      return rows;
    };
    const rows = withQuotingFallback(collect);
    if (rows.some((row) => row.length > MAX_COLUMNS)) {
      throw new DocumentError('TOO_COMPLEX', 'too many columns', {
        userMessage: `The table has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Split it, or exchange its rows and columns.`,
      });
    }
    const header = rows[0] !== undefined && isHeaderRow(rows[0]);
    const table: TableWriter = builder.openTable({ headerRow: header });
    for (const row of rows) table.row(row);
    table.close();
    builder
      .setMetadata('encoding', encoding)
      .setMetadata('delimiter', delimiter === '\t' ? 'tab' : delimiter);
    builder.setMetadata('rows', rows.length - (header ? 1 : 0));
  },
};

function withQuotingFallback(collect: (quote: '"' | null) => string[][]): string[][] {
  try {
    return collect('"');
  } catch {
    // With these options, only unclosed quotes are an error.
    return collect(null);
  }
}
