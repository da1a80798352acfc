import type { SourceConfig } from '@citewell/contracts/schemas';
import type { Source } from './source.js';

/** What connectors need of the server. */
export interface SourceContext {
  /** The secrets of the source, by the names that its kind gives them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Absolute paths of folders whose files may be read: the setting FOLDERS. */
  readonly folders: readonly string[];
}

/**
 * Opens a source. The connector of its kind is loaded now, so that a server without sources loads none.
 *
 * @throws SourceError
 */
export async function openSource(config: SourceConfig, { folders }: SourceContext): Promise<Source> {
  switch (config.kind) {
    case 'folder': {
      const { FolderSource } = await import('./folder/folder.source.js');
      return FolderSource.open(config, folders);
    }
  }
}
