import { deflateSync } from 'node:zlib';

/**
 * Assembles a PDF from objects, which are numbered from 1.
 *
 * @param options.encrypted whether the last object is the encryption dictionary
 */
export function assemble(
  objects: readonly string[],
  { encrypted = false }: { readonly encrypted?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = encrypted
    ? `/Encrypt ${objects.length} 0 R /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`
    : '';
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R ${encrypt} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Uint8Array.from(Buffer.from(file, 'latin1'));
}

/**
 * Like {@link assemble}, with all objects except streams in an object stream, and with a cross-reference
 * stream (ISO 32000-1, 7.5.7 and 7.5.8).
 */
export function assemblePacked(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  const isPacked = objects.map((object) => !object.endsWith('endstream'));
  const packed = objects.filter((_, index) => isPacked[index]);
  const container = objects.length + 1;
  const xref = container + 1;
  let file = '%PDF-1.5\n';
  const rows: (readonly [type: number, where: number, index: number])[] = [[0, 0, 65535]];
  const write = (number: number, object: string): void => {
    rows[number] = [1, file.length, 0];
    file += `${number} 0 obj\n${object}\nendobj\n`;
  };
  let at = 0;
  const entries: string[] = [];
  for (const [index, object] of objects.entries()) {
    if (isPacked[index] === false) write(index + 1, object);
    else {
      rows[index + 1] = [2, container, entries.length];
      entries.push(`${index + 1} ${at}`);
      at += object.length + 1;
    }
  }
  const header = `${entries.join(' ')}\n`;
  const stream = (dictionary: string, content: Uint8Array): string => {
    const data = deflateSync(content).toString('latin1');
    return `<< ${dictionary} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`;
  };
  write(
    container,
    stream(
      `/Type /ObjStm /N ${packed.length} /First ${header.length}`,
      Buffer.from(`${header}${packed.join('\n')}\n`, 'latin1'),
    ),
  );
  const start = file.length;
  rows[xref] = [1, start, 0];
  const table = Buffer.from(
    rows.flatMap(([type, where, index]) => [
      type,
      where >> 24,
      where >> 16,
      where >> 8,
      where,
      index >> 8,
      index,
    ]),
  );
  write(xref, stream(`/Type /XRef /Size ${rows.length} /W [1 4 2] /Root 1 0 R /Info 6 0 R`, table));
  return Uint8Array.from(Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, 'latin1'));
}
