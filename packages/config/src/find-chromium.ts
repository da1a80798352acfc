import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds the browser that renders pages.
 *
 * @param configured `CHROMIUM_PATH`. If it is set, the PATH is not searched.
 * @returns the absolute path of the executable, or null when there is none
 */
export async function findChromium(
  configured: string | undefined,
  path: string = process.env['PATH'] ?? '',
): Promise<string | null> {
  const folders = path.split(delimiter).filter(isAbsolute);
  const candidates =
    configured === undefined
      ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
      : [configured];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
