import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import type { DatabaseOptions } from './database.js';
import * as database from './index.js';
import {
  ArchiveRepository,
  CrawlRepository,
  DataSource,
  FinishCrawlRepository,
  GroupRunRepository,
  openDatabase,
  RunLifecycleRepository,
  SourceSyncRepository,
} from './index.js';

export interface DatabaseModuleOptions extends DatabaseOptions {
  /** Owner of the leases of this process. */
  owner: string;
  leaseSeconds: number;
}

type SimpleRepository = new (dataSource: DataSource) => unknown;

/** The repositories that this package exports and whose only dependency is the data source. */
const SIMPLE_REPOSITORIES = Object.values(database).filter(
  (value): value is typeof value & SimpleRepository =>
    typeof value === 'function' && value.name.endsWith('Repository') && value.length === 1,
);

/** Connects a process to Postgres, and provides all repositories. The importer destroys the data source. */
@Module({})
export class DatabaseModule {
  static forRoot({ owner, leaseSeconds, ...options }: DatabaseModuleOptions): DynamicModule {
    const holder = { owner, leaseSeconds };
    const providers: FactoryProvider[] = [
      { provide: DataSource, useFactory: () => openDatabase(options) },
      ...SIMPLE_REPOSITORIES.map((Repository) => ({
        provide: Repository,
        useFactory: (dataSource: DataSource) => new Repository(dataSource),
        inject: [DataSource],
      })),
      {
        provide: RunLifecycleRepository,
        useFactory: (dataSource: DataSource) => new RunLifecycleRepository(dataSource, owner, leaseSeconds),
        inject: [DataSource],
      },
      {
        provide: GroupRunRepository,
        useFactory: (dataSource: DataSource) => new GroupRunRepository(dataSource, owner),
        inject: [DataSource],
      },
      {
        provide: ArchiveRepository,
        useFactory: (dataSource: DataSource, groupRuns: GroupRunRepository) =>
          new ArchiveRepository(dataSource, groupRuns),
        inject: [DataSource, GroupRunRepository],
      },
      {
        provide: CrawlRepository,
        useFactory: (dataSource: DataSource) => new CrawlRepository(dataSource, holder),
        inject: [DataSource],
      },
      {
        provide: FinishCrawlRepository,
        useFactory: (dataSource: DataSource, groupRuns: GroupRunRepository) =>
          new FinishCrawlRepository(dataSource, holder, groupRuns),
        inject: [DataSource, GroupRunRepository],
      },
      {
        provide: SourceSyncRepository,
        useFactory: (dataSource: DataSource, groupRuns: GroupRunRepository) =>
          new SourceSyncRepository(dataSource, holder, groupRuns),
        inject: [DataSource, GroupRunRepository],
      },
    ];
    return {
      module: DatabaseModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
