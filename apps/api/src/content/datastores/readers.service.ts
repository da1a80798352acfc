import type { PossibleReaders, Readers, SetReaders } from '@citewell/contracts/schemas';
import { DatastoreReaderRepository, ReadersRefusal, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { type ApiError, found, invalid, notFound } from '../../http/api-error.js';

/** Possible readers of a kind that a search returns. */
const MAX_FOUND = 20;
/** Unknown ids that an error names. */
const SHOWN_IDS = 3;

/** Reads and changes who may read datastores. */
@Injectable()
export class ReadersService {
  constructor(@Inject(DatastoreReaderRepository) private readonly readers: DatastoreReaderRepository) {}

  async search(tenant: TenantScope, text: string): Promise<PossibleReaders> {
    return this.readers.search(tenant, text.trim(), MAX_FOUND);
  }

  async get(tenant: TenantScope, id: string): Promise<Readers> {
    return found(await this.readers.find(tenant, id), 'datastore');
  }

  /** @throws {@link ApiError} `NOT_FOUND`, and those of {@link withReaders} */
  async set(tenant: TenantScope, id: string, readers: SetReaders): Promise<Readers> {
    const isFound = await withReaders('', () => this.readers.replace(tenant, id, readers));
    if (!isFound) throw notFound('datastore');
    return this.get(tenant, id);
  }
}

/**
 * Writes readers.
 *
 * @param path of the readers in the body, such as `readers.`
 * @throws {@link ApiError} `INVALID_REQUEST` for unknown ids, and for a person who could not read the datastore any more
 */
export async function withReaders<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof ReadersRefusal ? refusal(error, path) : error;
  }
}

function refusal({ reason, ids }: ReadersRefusal, path: string): ApiError {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  switch (reason) {
    case 'unknown-people':
      return invalid(`${path}people`, `has ids that are not of people of the organization: ${shown}`);
    case 'unknown-groups':
      return invalid(`${path}groups`, `has ids that are not of groups of the organization: ${shown}`);
    case 'caller-excluded':
      return invalid(
        `${path}people`,
        'must have your own id, or `groups` one of your groups: otherwise you could not read the datastore any more',
      );
  }
}
