import { InitialSchema1763600000000 } from './1763600000000-initial-schema.migration.js';
import { FirstOrganization1763700000000 } from './1763700000000-first-organization.migration.js';
import { Patience1763800000000 } from './1763800000000-patience.migration.js';
import { WebSites1763900000000 } from './1763900000000-web-sites.migration.js';
import { CrawlTargets1764000000000 } from './1764000000000-crawl-targets.migration.js';
import { PurgeOrder1764100000000 } from './1764100000000-purge-order.migration.js';
import { HostPaces1764200000000 } from './1764200000000-host-paces.migration.js';
import { CrawlOrigins1764300000000 } from './1764300000000-crawl-origins.migration.js';
import { CrawlLeads1764400000000 } from './1764400000000-crawl-leads.migration.js';
import { DispatchOrder1764500000000 } from './1764500000000-dispatch-order.migration.js';
import { AskedSyncs1764600000000 } from './1764600000000-asked-syncs.migration.js';
import { CrawlAnswers1764700000000 } from './1764700000000-crawl-answers.migration.js';
import { LostPages1764800000000 } from './1764800000000-lost-pages.migration.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  InitialSchema1763600000000,
  FirstOrganization1763700000000,
  Patience1763800000000,
  WebSites1763900000000,
  CrawlTargets1764000000000,
  PurgeOrder1764100000000,
  HostPaces1764200000000,
  CrawlOrigins1764300000000,
  CrawlLeads1764400000000,
  DispatchOrder1764500000000,
  AskedSyncs1764600000000,
  CrawlAnswers1764700000000,
  LostPages1764800000000,
];
