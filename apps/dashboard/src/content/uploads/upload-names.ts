/** In UTF-16 code units, as the API counts them. */
const MAX_NAME_LENGTH = 255;
/** Folders of programs, whose files nobody means to add. */
const PROGRAM_FOLDERS = ['node_modules', '__MACOSX', '__pycache__'];

/** The path of a file inside a chosen or dropped folder; the name of any other file. */
export function pathOf(file: File): string {
  const path = 'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath;
  return path.replace(/^\.?\//, '') || file.name;
}

/** The name of the datasource: the path, without outer folders where it is too long. */
export function uploadName(path: string): string {
  let name = path;
  while (name.length > MAX_NAME_LENGTH && name.includes('/')) name = name.slice(name.indexOf('/') + 1);
  return name;
}

/** Whether a file of a folder is hidden or belongs to a program, so that it is left out. Files that are chosen alone are not. */
export function isLeftOut(path: string): boolean {
  const parts = path.split('/');
  if (parts.length === 1) return false;
  return parts.some((part) => part.startsWith('.') || PROGRAM_FOLDERS.includes(part) || part === 'Thumbs.db');
}

/** The name of a datasource whose file is replaced: that of the new file, in the folder of the old one. */
export function replacedName(name: string, fileName: string): string {
  return uploadName(name.slice(0, name.lastIndexOf('/') + 1) + fileName);
}
