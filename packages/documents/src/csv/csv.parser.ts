import { parse } from 'csv-parse/sync';
import type { TableWriter } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { decodeText } from '../text-decoding/decode-text.js';
import { detectDelimiter, isHeaderRow } from './csv-dialect.js';

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
