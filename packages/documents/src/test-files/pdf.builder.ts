export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

/**
 * A PDF of one Helvetica font and a text line at each place that is given: the smallest file that every reader opens
 * (ISO 32000-1, 7.5).
 *
 * @param pages lines of each page; text in Latin letters
 * @param options.encrypted adds an encryption dictionary that no password opens
 */
export function buildPdf(
  pages: readonly (readonly PdfLine[])[],
  options: { title?: string; encrypted?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${literal(options.title ?? '')} >>`,
    ...pages.flatMap((lines, index) => {
      const content = lines.map(drawLine).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${6 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  if (options.encrypted === true) {
    const key = `<${'ab'.repeat(32)}>`;
    objects.push(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${key} /U ${key} >>`);
  }
  return assemble(objects, options.encrypted === true);
}

function assemble(objects: readonly string[], isEncrypted: boolean): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = isEncrypted
    ? `/Encrypt ${objects.length} 0 R /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`
    : '';
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${encrypt} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Uint8Array.from(Buffer.from(file, 'latin1'));
}

function drawLine({ text, x = 72, y, size = 12 }: PdfLine): string {
  return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj ET`;
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}
