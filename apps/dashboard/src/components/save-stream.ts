/** Saves the bytes of a stream as a file on the disk of the user. */
export async function saveStream(stream: ReadableStream<Uint8Array>, name: string): Promise<void> {
  // `Response` accepts streams of bytes with any buffer.
  const url = URL.createObjectURL(
    await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob(),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
