import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';

/** The objects of a file of JSON lines. Without the file, none. A last line that is incomplete is left out. */
export async function readJsonLines<Item>(path: string): Promise<Item[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line, index, lines) => {
    try {
      return line === '' ? [] : (JSON.parse(line) as Item);
    } catch (error) {
      if (index === lines.length - 1) return [];
      throw new Error(`${path}, line ${index + 1}: it is not JSON.`, { cause: error });
    }
  });
}

export async function appendJsonLine(path: string, item: object): Promise<void> {
  await appendFile(path, `${JSON.stringify(item)}\n`);
}

/** Replaces a file at once: a reader, and a command that was killed, see the old or the new one. */
export async function writeJsonLines(path: string, items: readonly object[]): Promise<void> {
  await writeAtOnce(path, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

export async function writeAtOnce(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
