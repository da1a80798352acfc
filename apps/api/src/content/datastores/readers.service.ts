import type { PossibleReaders, Readers, SetReaders } from '@citewell/contracts/schemas';
import { DatastoreReaderRepository, type ReadersRefusal, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { type ApiError, found, invalid, notFound, unwrap } from '../../http/api-error.js';

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

  /** @throws {@link ApiError} `NOT_FOUND`, and those of {@link readersErrors} */
  async set(tenant: TenantScope, id: string, readers: SetReaders): Promise<Readers> {
    const errors = { ...readersErrors(''), 'not-found': () => notFound('datastore') };
    unwrap(await this.readers.replace(tenant, id, readers), errors);
    return this.get(tenant, id);
  }
}

/**
 * The errors of readers that are refused: `INVALID_REQUEST` for unknown ids, and for a person who could not read the datastore any
 * more.
 *
 * @param path of the readers in the body, such as `readers.`
 */
export function readersErrors(
  path: string,
): Readonly<Record<ReadersRefusal, (ids: readonly string[]) => ApiError>> {
  const unknown = (kind: 'people' | 'groups', ids: readonly string[]): ApiError =>
    invalid(
      `${path}${kind}`,
      `has ids that are not of ${kind} of the organization: ${ids.slice(0, SHOWN_IDS).join(', ')}`,
    );
  return {
    'unknown-people': (ids) => unknown('people', ids),
    'unknown-groups': (ids) => unknown('groups', ids),
    'caller-excluded': () =>
      invalid(
        `${path}people`,
        'must have your own id, or `groups` one of your groups: otherwise you could not read the datastore any more',
      ),
  };
}
