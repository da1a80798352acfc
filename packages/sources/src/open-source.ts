import type { SourceConfig } from '@citewell/contracts/schemas';
import type { ProxyOptions } from '@citewell/web';
import type { Source } from './source.js';

/** What connectors need of the server. */
export interface SourceContext {
  /** The secrets of the source, by the names that its kind gives them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Absolute paths of folders whose files may be read: the setting FOLDERS. */
  readonly folders: readonly string[];
  /** Networks in CIDR notation that may be connected to although they are not public. Default: none. */
  readonly allowPrivateNetworks?: readonly string[];
  /** The proxy of a corporate network. Default: none. */
  readonly proxy?: ProxyOptions;
  /** User agent of requests to web sites: the setting CRAWL_USER_AGENT. Default: that of the setting. */
  readonly userAgent?: string;
  /** Commands that may be run as sources, by name: the setting SOURCE_PROGRAMS. Default: none. */
  readonly programs?: Readonly<Record<string, readonly string[]>>;
  /** Path or name of rclone: the setting RCLONE_PATH. Default `rclone`. */
  readonly rclonePath?: string;
  /**
   * Stores a secret that has changed. Some storages renew the tokens of OAuth 2.0 when they are used, and the former ones
   * are not valid any more. Default: the change is lost when the source is closed.
   */
  readonly saveSecret?: (name: string, value: string) => Promise<void>;
}

/**
 * Opens a source. The connector of its kind is loaded now, so that a server without sources loads none.
 *
 * @throws SourceError
 */
export async function openSource(config: SourceConfig, context: SourceContext): Promise<Source> {
  switch (config.kind) {
    case 'folder': {
      const { FolderSource } = await import('./folder/folder.source.js');
      return FolderSource.open(config, context.folders);
    }
    case 'storage': {
      const { StorageSource } = await import('./storage/storage.source.js');
      return StorageSource.open(config, context);
    }
    case 'feed': {
      const { FeedSource } = await import('./feed/feed.source.js');
      return new FeedSource(config, context);
    }
    case 'mailbox': {
      const { MailboxSource } = await import('./mailbox/mailbox.source.js');
      return new MailboxSource(config, context);
    }
    case 'confluence': {
      const { ConfluenceSource } = await import('./confluence/confluence.source.js');
      return new ConfluenceSource(config, context);
    }
    case 'notion': {
      const { NotionSource } = await import('./notion/notion.source.js');
      return new NotionSource(context);
    }
    case 'program': {
      const { ProgramSource } = await import('./program/program.source.js');
      return ProgramSource.open(config, context);
    }
    case 'repository': {
      const { RepositorySource } = await import('./repository/repository.source.js');
      return RepositorySource.open(config, context);
    }
  }
}
