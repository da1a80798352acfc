/** Bytes of a name in UTF-8. Most file systems allow 255; some letters are longer when they are decomposed. */
const MAX_NAME_BYTES = 200;
/** Not allowed in names of Windows, or not printable. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001F\u007F-\u009F<>:"|?*\\]/g;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name of a file or folder that every system accepts. */
export function safeName(name: string): string {
  const plain = name.normalize().toWellFormed().replaceAll('/', '_').replace(UNSAFE, '_');
  const trimmed = withoutEnd(plain).trimStart();
  const kept = RESERVED.test(trimmed) || /^\.*$/.test(trimmed) ? `_${trimmed}` : trimmed;
  return shortened(kept);
}

/** The number `n` of a safe name, which is safe, too. */
export function numbered(name: string, n: number): string {
  return shortened(name, ` (${n})`);
}

/** Keeps the extension. @param suffix comes before it */
function shortened(name: string, suffix = ''): string {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : '';
  let stem = name.slice(0, name.length - extension.length);
  if (Buffer.byteLength(stem + suffix + extension) <= MAX_NAME_BYTES) return stem + suffix + extension;
  while (Buffer.byteLength(stem + suffix + extension) > MAX_NAME_BYTES)
    stem = [...stem].slice(0, -1).join('');
  return `${withoutEnd(stem) || '_'}${suffix}${extension}`;
}

/** Without dots and white space at the end, which Windows drops. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** Whether a path is one that {@link SafePaths} gives: it never leads out of its folder. */
export function isSafePath(path: string): boolean {
  return path.split('/').every((name) => name === safeName(name));
}

/** Gives each document a path of its own. Capital and small letters are the same, as on Windows and macOS. */
export class SafePaths {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** Takes a path that was given before. @returns whether it was free */
  take(path: string): boolean {
    const key = path.toLowerCase();
    const parents = parentsOf(key);
    if (this.files.has(key) || this.folders.has(key) || parents.some((parent) => this.files.has(parent)))
      return false;
    this.files.add(key);
    for (const parent of parents) this.folders.add(parent);
    return true;
  }

  /** @param name names of folders and of the file, separated by `/` */
  give(name: string): string {
    const parts = name.split('/').filter((part) => part !== '');
    const path = (parts.length === 0 ? [''] : parts).map(safeName);
    if (this.take(path.join('/'))) return path.join('/');
    const leaf = path.at(-1) ?? '';
    // A folder of the path may be the name of a file.
    const folder = parentsOf(path.join('/').toLowerCase()).some((parent) => this.files.has(parent))
      ? []
      : path.slice(0, -1);
    for (let n = 2; ; n += 1) {
      const next = [...folder, numbered(leaf, n)].join('/');
      if (this.take(next)) return next;
    }
  }
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
