import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The program that pages are rendered with; null when there is none.
 *
 * @param given `CHROMIUM_PATH`. With it, nothing else is looked for: whoever names a browser wants no other one.
 */
export async function findChromium(
  given: string | undefined,
  path: string = process.env['PATH'] ?? '',
): Promise<string | null> {
  const folders = path.split(delimiter).filter(isAbsolute);
  const candidates =
    given === undefined ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))) : [given];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
