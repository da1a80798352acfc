import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { MODEL_VARIABLES } from './model-variables.js';
import {
  CIDR,
  PROXY,
  basePath,
  commands,
  flag,
  list,
  publicAddress,
  text,
  url,
  variable,
  wholeNumber,
} from './variable.js';

/**
 * Every variable that Citewell reads, in the order of `.env.example`. A service whose address is set is used;
 * a service without an address is embedded.
 */
export const VARIABLES = {
  PORT: variable(wholeNumber(0, 65_535).default(3000), 'TCP port of the HTTP API. 0 picks a free port.'),
  HOST: variable(
    text.default('127.0.0.1'),
    'Address to listen on. 0.0.0.0 also accepts connections from other machines.',
  ),
  PUBLIC_URL: variable(
    publicAddress('/api').optional(),
    'Public address, without /api. Required to sign in under a name other than localhost; and behind a proxy.',
    'https://answers.example.com',
  ),
  BASE_PATH: variable(
    basePath('/api').default(''),
    'Path below which people open the server. If unset, the path of PUBLIC_URL.',
    '/citewell',
  ),
  CITEWELL_DATA_DIR: variable(
    text.default('.citewell'),
    'Directory of the embedded services: database, vectors and files.',
  ),
  CITEWELL_API_KEY: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible characters')
      .optional(),
    'Key of the first organization; default: one is printed once. A new value adds a key and keeps the old ones.',
  ),
  CITEWELL_ADMIN_KEY: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible characters')
      .optional(),
    'Key for creating and deleting organizations. If unset, organizations cannot be managed over HTTP.',
  ),
  CITEWELL_SECRET: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible characters')
      .optional(),
    'Encrypts the keys of model servers in the database. If unset, the file `secret` of the data directory does.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').optional(),
    'Address of a Postgres server, version 14 or newer. If unset, Postgres is embedded.',
    'postgres://citewell:secret@localhost:5432/citewell',
  ),
  DATABASE_POOL_SIZE: variable(
    wholeNumber(2, 200).default(10),
    'Postgres connections per process, not counting the connections of the queue.',
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:').optional(),
    'Address of a Redis server, version 6.2 or newer, for the queue. If unset, the queue is in Postgres.',
    'redis://localhost:6379',
  ),
  QDRANT_URL: variable(
    list.pipe(z.array(url('http:', 'https:')).min(1)).optional(),
    'Qdrant server, version 1.18 or newer, or nodes of a cluster (comma-separated). If unset, the data directory.',
    'http://localhost:6333',
  ),
  QDRANT_API_KEY: variable(text.optional(), 'API key of the Qdrant server.'),
  QDRANT_SHARDS: variable(wholeNumber(1, 1_000).default(1), 'Number of shards of a new collection.'),
  QDRANT_REPLICAS: variable(
    wholeNumber(1, 10).default(1),
    'Number of replicas of each shard of a new collection.',
  ),
  QDRANT_QUANTIZATION: variable(
    z.enum(['none', 'scalar', 'binary']).default('none'),
    'Smaller copies of the vectors, in memory, that preselect: scalar has 1/2 of their size, binary 1/16.',
  ),
  QDRANT_VECTORS_ON_DISK: variable(
    flag.default(false),
    'Whether Qdrant reads vectors from disk, instead of holding them in memory.',
  ),
  S3_BUCKET: variable(
    text.optional(),
    'Bucket for files and for texts of more than 8 kB. If unset, they are in the data directory.',
  ),
  S3_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'Address of an S3-compatible server. If unset, AWS.',
    'http://localhost:9000',
  ),
  S3_REGION: variable(text.default('us-east-1'), 'Region of the bucket.'),
  S3_ACCESS_KEY_ID: variable(
    text.optional(),
    'Access key id. If unset, the default credential chain of the AWS SDK is used.',
  ),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), 'Secret access key.'),
  S3_FORCE_PATH_STYLE: variable(
    flag.default(true),
    'Put the bucket name into the path, not into the host name. Most self-hosted servers need this.',
  ),
  S3_PREFIX: variable(
    text.optional(),
    'Prefix of every object key, for a bucket that is shared with other applications.',
  ),
  SMTP_URL: variable(
    url('smtp:', 'smtps:')
      .refine((value) => {
        const { hash, pathname, search } = new URL(value);
        return hash === '' && /^\/?$/.test(pathname) && /^(\?tls=off)?$/.test(search);
      }, 'must have nothing after the port, except ?tls=off')
      .optional(),
    'Mail server for links to reset a password and invitations. smtp:// uses STARTTLS, or nothing with ?tls=off.',
    'smtps://citewell:secret@mail.example.com',
  ),
  MAIL_FROM: variable(
    z
      .string()
      .regex(
        /^[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/,
        'must be an e-mail address, or a name with one',
      )
      .optional(),
    'Sender of these mails. Required with SMTP_URL.',
    'Citewell <citewell@example.com>',
  ),
  ...MODEL_VARIABLES,
  MAX_UPLOAD_BYTES: variable(
    wholeNumber(1).default(100 * 1024 * 1024),
    'Maximum size of one uploaded file, in bytes. Default: 100 MB. A text in JSON may have 16 MB at most.',
  ),
  FOLDERS: variable(
    list
      .refine(
        (folders) => folders.every((folder) => isAbsolute(folder)),
        'must be absolute paths of folders, separated by commas',
      )
      .default([]),
    'Folders of the server that may be connected as sources, with all that is below them.',
    '/srv/documents,/mnt/share',
  ),
  SOURCE_PROGRAMS: variable(
    commands.optional(),
    'Programs that may be connected as sources: a JSON object of name and command. They run on this server.',
    '{"archive": ["python3", "/opt/archive-source.py"]}',
  ),
  RCLONE_PATH: variable(
    text.default('rclone'),
    'Path or name of rclone 1.75 or later, for sources on S3, WebDAV, Google Drive and other storages.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: variable(
    wholeNumber(0).default(1_000),
    'Maximum connections of one address. Behind a proxy, set 0 (no limit), and limit them in the proxy.',
  ),
  RATE_LIMIT_PER_MINUTE: variable(
    wholeNumber(0).default(600),
    'Maximum number of requests per minute and API key, without uploads of files. 0 means no limit.',
  ),
  UPLOAD_BYTES_PER_MINUTE: variable(
    wholeNumber(0).default(4 * 1024 * 1024 * 1024),
    'Maximum bytes of files and batches per minute and organization. Default: 4 GB. 0 means no limit.',
  ),
  MAX_PENDING_DATASOURCES: variable(
    wholeNumber(0).default(100_000),
    'An organization with this many datasources that wait for a worker can add more later. 0 means no limit.',
  ),
  MAX_SOURCES: variable(
    wholeNumber(0).default(100),
    'Maximum number of sources that an organization connects. 0 means no limit.',
  ),
  VISITOR_RATE_LIMIT_PER_MINUTE: variable(
    wholeNumber(0).default(20),
    'Maximum number of requests per minute of one address with one publishable key. 0 means no limit.',
  ),
  TRUSTED_PROXIES: variable(
    list
      .refine(
        (proxies) => proxies.every((proxy) => PROXY.safeParse(proxy).success),
        'must be addresses or networks, such as 10.0.0.2 or 10.20.0.0/16',
      )
      .default([]),
    'Proxies (addresses or CIDR, comma-separated) whose X-Forwarded-For names the address of the client.',
    '10.0.0.2',
  ),
  MAX_CONCURRENT_ANSWERS: variable(
    wholeNumber(1).default(32),
    'Maximum number of concurrent answers per organization.',
  ),
  LIMIT_AGENT_QUERIES_PER_MONTH: variable(
    wholeNumber(0).optional(),
    'Maximum number of agent queries per month of the first organization. If unset, no limit.',
  ),
  LIMIT_STORED_CHARACTERS: variable(
    wholeNumber(0).optional(),
    'Maximum number of stored characters of the first organization. If unset, no limit.',
  ),
  OFFLINE: variable(
    flag.default(false),
    'Connect only to hosts that these variables name, and to private networks that they allow.',
  ),
  ALLOW_PRIVATE_NETWORKS: variable(
    list
      .refine(
        (networks) => networks.every((network) => CIDR.safeParse(network).success),
        'must be networks in CIDR notation, such as 10.20.0.0/16',
      )
      .default([]),
    'Private networks (CIDR, comma-separated) from which pages may be fetched.',
    '10.20.0.0/16',
  ),
  CRAWL_USER_AGENT: variable(
    text.default('Citewell/0.1 (self-hosted document search)'),
    'User agent of the crawler. Include a way to contact you.',
  ),
  CRAWL_DELAY_MS: variable(
    wholeNumber(0, 3_600_000).default(100),
    'Minimum time between two requests to one host, in milliseconds. Longer where robots.txt asks for a Crawl-delay.',
  ),
  CRAWL_CONCURRENCY_PER_HOST: variable(
    wholeNumber(1, 64).default(4),
    'Maximum number of concurrent requests to one host. 1 if its robots.txt sets a Crawl-delay.',
  ),
  CRAWLER_CONCURRENCY: variable(
    wholeNumber(1, 1_000).default(16),
    'Concurrent runs of one crawler process. One host gets at most half of them.',
  ),
  HTTPS_PROXY: variable(
    url('http:', 'https:').optional(),
    'Proxy for fetching pages. If unset, HTTP_PROXY.',
    'http://proxy.example.com:3128',
  ),
  HTTP_PROXY: variable(
    url('http:', 'https:').optional(),
    'Proxy for http:// pages. If unset, HTTPS_PROXY.',
    'http://proxy.example.com:3128',
  ),
  NO_PROXY: variable(
    list.default([]),
    'Hosts (comma-separated) to fetch without the proxy. example.org includes its subdomains.',
    'example.org,.internal',
  ),
  NODE_EXTRA_CA_CERTS: variable(
    text.optional(),
    'PEM file with additional trusted certificate authorities. Node itself reads it at start.',
    '/etc/ssl/certs/company.pem',
  ),
  CHROMIUM_PATH: variable(
    text.optional(),
    'Browser for pages that need JavaScript. If unset: chromium, chromium-browser or google-chrome on the PATH.',
    '/usr/bin/chromium',
  ),
  RENDER_CONCURRENCY: variable(
    wholeNumber(1, 16).default(2),
    'Maximum number of pages open at once in the browser of one crawler process.',
  ),
  RENDER_TIMEOUT_MS: variable(
    wholeNumber(1_000, 300_000).default(30_000),
    'Timeout for rendering one page in the browser, in milliseconds.',
  ),
  RENDER_MS_PER_CRAWL: variable(
    wholeNumber(1_000).default(2 * 60 * 60_000),
    'How long the pages of one crawl may be open in the browser, added up, in milliseconds.',
  ),
  RENDER_MEMORY_BYTES: variable(
    wholeNumber(256 * 1024 * 1024).default(1024 * 1024 * 1024),
    'Memory limit of all browser processes together, in bytes. Default: 1 GB. A page that needs more fails.',
  ),
  PARSER_CONCURRENCY: variable(
    wholeNumber(1, 256).default(2),
    'Files parsed at once by one parser worker, each in its own process.',
  ),
  PARSER_TIMEOUT_MS: variable(
    wholeNumber(1_000).default(10 * 60_000),
    'Maximum CPU time for parsing one file, in milliseconds. A file gets 15 s plus 1 s per 50 kB, up to this.',
  ),
  PARSER_MEMORY_BYTES: variable(
    wholeNumber(64 * 1024 * 1024).default(1024 * 1024 * 1024),
    'Memory limit of one parsing process, in bytes. Default: 1 GB.',
  ),
  PARSER_MAX_CHARACTERS: variable(
    wholeNumber(1_000).default(50_000_000),
    'Maximum number of characters of text in one file.',
  ),
  TESSERACT_PATH: variable(
    text.default('tesseract'),
    'Path or name of the Tesseract program (OCR). Without it or pdftoppm, the Tesseract of the product is used.',
  ),
  OCR_LANGUAGES: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9_/-]+(\+[A-Za-z0-9_/-]+)*$/, 'must be names of Tesseract language data joined by +')
      .default('eng'),
    'OCR languages, by the names of the Tesseract language data. More languages take longer.',
    'eng+deu',
  ),
  EXTRA_FILE_TYPES: variable(
    list
      .refine(
        (extensions) => extensions.every((extension) => /^[a-z0-9_+-]+$/.test(extension)),
        'must be file name extensions in lower case without dots, such as xml,svg',
      )
      .default([]),
    'File name extensions read as plain text whatever the text looks like, such as XML or a template of HTML.',
    'xml,svg,hbs',
  ),
  INDEXER_CONCURRENCY: variable(
    wholeNumber(1, 256).default(2),
    'Documents indexed at once by one indexer process.',
  ),
  EMBEDDER_CONCURRENCY: variable(
    wholeNumber(1, 256).default(4),
    'Documents embedded at once by one indexer process, with an embedding model other than `builtin`.',
  ),
  LEASE_SECONDS: variable(
    wholeNumber(3, 3_600).default(60),
    'Lease duration in seconds: a worker that does not renew its lease for this long loses the run.',
  ),
  SHUTDOWN_GRACE_MS: variable(
    wholeNumber(0, 10 * 60_000).default(10_000),
    'Time that a stopping process has to finish its current jobs and requests, in milliseconds.',
  ),
  WATCHDOG_SECONDS: variable(
    wholeNumber(0, 600).default(10),
    'A process whose event loop is blocked for this long is ended, and started again by its supervisor. 0: never.',
  ),
  WORKER_PORT: variable(
    wholeNumber(0, 65_535).default(0),
    "Port of a worker's /health and /metrics. 0 opens no port.",
  ),
  LOG_LEVEL: variable(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Lowest level of the log messages that are written. The default of `npm start` is warn.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'OpenTelemetry collector (OTLP over HTTP) for traces and metrics. The SDK reads its other OTEL_ variables, too.',
    'http://localhost:4318',
  ),
  CITEWELL_FAULT: variable(
    z
      .string()
      .regex(
        /^[a-z-]+(:\d+(:throw|:block)?)?(@.+)?$/,
        'must be the name of a fault point, optionally with a count or a document, as in after-write:2, after-write:2:throw, after-write:1:block or after-write@notes.txt',
      )
      .optional(),
    'For tests: kills the process with SIGKILL at the named fault point, throws an error that nobody catches, or blocks the event loop.',
  ),
} as const;
