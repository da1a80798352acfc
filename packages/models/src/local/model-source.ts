import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ModelError } from '../model.error.js';

/** Where the files of a local model are. */
export type ModelSource =
  | { readonly kind: 'directory'; readonly path: string; /** As it was configured. */ readonly name: string }
  /** A folder of a web server, such as that of a mirror. Ends with `/`. */
  | { readonly kind: 'url'; readonly url: string }
  /** A model of the hub, such as `Xenova/all-MiniLM-L6-v2`. */
  | { readonly kind: 'hub'; readonly id: string };

const HUB_ID = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/;

/** Whether a configured name is that of a local model. */
export function isLocalModel(name: string): boolean {
  return name === 'local' || name.startsWith('local:');
}

/**
 * Reads the name of a local model: `local`, `local:<hub id>`, `local:<URL>` or `local:<directory>`. A directory starts
 * with `.`, `/` or a drive letter.
 *
 * @param defaultId hub id of the model `local`
 * @throws ModelError (`permanent`) if the name is malformed, or the directory does not exist
 */
export function parseModelSource(name: string, defaultId: string): ModelSource {
  const source = name === 'local' ? defaultId : name.slice('local:'.length);
  if (/^https?:\/\//i.test(source)) return parseUrl(source);
  if (/^[./]|^[A-Za-z]:\\/.test(source)) {
    if (statSync(source, { throwIfNoEntry: false })?.isDirectory())
      return { kind: 'directory', path: resolve(source), name: source };
    throw invalid(`The directory ${source} of the local model does not exist.`);
  }
  if (HUB_ID.test(source)) return { kind: 'hub', id: source };
  throw invalid(
    'The name of a local model is `local:` with a hub id, a directory that begins with `/` or `.`, or a URL.',
  );
}

function parseUrl(text: string): ModelSource {
  const url = URL.parse(text);
  if (!url) throw invalid('The URL of the local model is malformed.');
  // The name of a model is shown.
  if (url.username || url.password || url.search || url.hash)
    throw invalid('The URL of a local model has no user name, password, query or fragment.');
  return { kind: 'url', url: url.href.replace(/(?<!\/)\/*$/, '/') };
}

/** The folder in which a downloaded model is stored. */
export function folderOf(source: Exclude<ModelSource, { kind: 'directory' }>, directory: string): string {
  if (source.kind === 'hub') return join(directory, ...source.id.split('/'));
  const hash = createHash('sha256').update(source.url).digest('hex').slice(0, 8);
  const { pathname } = new URL(source.url);
  return join(directory, 'mirrors', `${basename(pathname).replace(/[^\w.-]/g, '_') || 'model'}-${hash}`);
}

function invalid(message: string): ModelError {
  return new ModelError('permanent', message);
}
