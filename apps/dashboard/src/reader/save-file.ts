import { client } from '../client.js';

/** Downloads the original file to the disk of the user. */
export async function saveFile(datasourceId: string): Promise<void> {
  const { stream, name } = await client.datasources.file(datasourceId);
  const url = URL.createObjectURL(await new Response(stream).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
