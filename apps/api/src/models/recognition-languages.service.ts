import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@citewell/config';
import type { RecognitionLanguage, RecognitionSettings } from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import {
  ADDABLE_LANGUAGES,
  type AddableLanguage,
  INCLUDED_LANGUAGES,
  LANGUAGE_PACKAGES,
} from '@citewell/documents/recognition';
import { CONFIG, languageDirectory, LOGGER } from '@citewell/infrastructure';
import { installLanguage, languageFile, ModelError, sentenceForOperator } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { assertOperator } from './model-settings.service.js';

const DATA = /^([A-Za-z0-9_]+)\.traineddata(?:\.gz)?$/;
const VERTICAL = /_vert$/;

/** The languages of text recognition. Added ones are files of the data directory, which parsers read. */
@Injectable()
export class RecognitionLanguages {
  private readonly installing = new Map<string, Promise<void>>();
  private readonly failures = new Map<string, string>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CITEWELL_DATA_DIR' | 'OCR_LANGUAGES'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async list(tenant: TenantScope): Promise<RecognitionSettings> {
    await assertOperator(this.organizations, tenant);
    const installed = await this.installed();
    const included = [...Object.keys(INCLUDED_LANGUAGES), ...this.config.OCR_LANGUAGES.split('+')];
    const names = new Set([...included, ...installed, ...Object.keys(ADDABLE_LANGUAGES)]);
    const languages = [...names].filter((name) => !VERTICAL.test(name));
    return { languages: languages.map((name) => this.describe(name, { installed, included })) };
  }

  /**
   * Installs a language in the background.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `NOT_FOUND` for a language without packages
   */
  async add(tenant: TenantScope, name: string): Promise<RecognitionSettings> {
    await assertOperator(this.organizations, tenant);
    const language = addable(name);
    if (language === undefined) throw new ApiError('NOT_FOUND', 'There is no such language to install.');
    if (!this.installing.has(name) && !(await this.installed()).includes(name)) {
      this.failures.delete(name);
      this.installing.set(name, this.install(name, language));
    }
    return this.list(tenant);
  }

  /** Removes the files of a language. @throws {@link ApiError} `FORBIDDEN` */
  async remove(tenant: TenantScope, name: string): Promise<RecognitionSettings> {
    await assertOperator(this.organizations, tenant);
    await this.installing.get(name);
    this.failures.delete(name);
    const directory = languageDirectory(this.config);
    for (const file of await this.files())
      if (DATA.exec(file)?.[1]?.replace(VERTICAL, '') === name)
        await rm(join(directory, file), { force: true });
    return this.list(tenant);
  }

  /** Called by Nest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.installing.values());
  }

  private async install(name: string, { packages }: AddableLanguage): Promise<void> {
    try {
      const directory = languageDirectory(this.config);
      await installLanguage(directory, { ...LANGUAGE_PACKAGES, packages }, this.stopping.signal);
      this.logger.info({ language: name }, 'language of text recognition installed');
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.logger.warn({ err: error, language: name }, 'language of text recognition was not installed');
      const isKnown = error instanceof ModelError;
      this.failures.set(name, isKnown ? sentenceForOperator(error) : 'The language could not be installed.');
    } finally {
      this.installing.delete(name);
    }
  }

  private describe(
    name: string,
    { installed, included }: { installed: readonly string[]; included: readonly string[] },
  ): RecognitionLanguage {
    const { tag, bytes } = addable(name) ?? { tag: name === 'eng' ? 'en' : null, bytes: null };
    const isIncluded = included.includes(name);
    const message = this.failures.get(name) ?? null;
    const isInstalled = isIncluded || installed.includes(name);
    const state = this.installing.has(name) ? 'installing' : isInstalled ? 'installed' : null;
    return {
      name,
      tag,
      state: state ?? (message === null ? 'available' : 'failed'),
      isIncluded,
      downloadBytes: bytes,
      message,
    };
  }

  /** Languages whose files are all there. */
  private async installed(): Promise<string[]> {
    const files = await this.files();
    const names = files.flatMap((file) => DATA.exec(file)?.[1] ?? []);
    return names.filter((name) => {
      const needed = Object.keys(addable(name)?.packages ?? {});
      return needed.every((data) => files.includes(languageFile(data)));
    });
  }

  private async files(): Promise<string[]> {
    return readdir(languageDirectory(this.config)).catch(() => []);
  }
}

function addable(name: string): AddableLanguage | undefined {
  return Object.hasOwn(ADDABLE_LANGUAGES, name) ? ADDABLE_LANGUAGES[name] : undefined;
}
