/** How a storage is connected. The names of options and secrets are those of rclone (https://rclone.org/overview/). */
export interface StorageProvider {
  readonly title: string;
  /** Options without secrets: name and description. All others are refused. */
  readonly options: Readonly<Record<string, string>>;
  /** Secrets: name and title. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Options and secrets without which nothing can be connected. Of each group, one is enough. */
  readonly required: readonly (readonly string[])[];
}

const TOKEN = { token: 'Token, as `rclone authorize` prints it' };
const CLIENT_ID = { client_id: 'ID of your own OAuth client. Default: that of rclone.' };
const CLIENT_SECRET = { client_secret: 'Secret of your own OAuth client' };
const ACCOUNT_KEYS = {
  service_account_credentials: 'Service account, as the content of its JSON file',
};
const AZURE_OPTIONS = {
  account: 'Name of the storage account.',
  endpoint: 'Address of the service. Default: that of Azure.',
  tenant: 'ID of the tenant, for a service principal.',
  client_id: 'ID of the application, for a service principal.',
};
const AZURE_SECRETS = {
  key: 'Key of the storage account',
  sas_url: 'URL with a shared access signature',
  client_secret: 'Secret of the application',
};

/**
 * The storages that can be connected. Options that read files of the server, run programs, or take credentials from the
 * environment are left out, and so are storages that are made of others (`alias`, `union`, `crypt`) or of the server's
 * own disk (`local`).
 */
const PROVIDERS = {
  s3: {
    title: 'S3 and compatible (AWS, MinIO, Ceph, Cloudflare R2, Wasabi …)',
    options: {
      provider: 'Who runs it, such as `AWS`, `Minio`, `Ceph`, `Cloudflare`, `Wasabi`. Default: `Other`.',
      endpoint: 'Address of the service, such as `https://s3.example.com`. Not needed for AWS.',
      region: 'Region, such as `eu-central-1`.',
      access_key_id: 'ID of the access key.',
      force_path_style: '`false` for buckets that are part of the host name.',
    },
    secrets: { secret_access_key: 'Secret access key', session_token: 'Session token' },
    required: [],
  },
  drive: {
    title: 'Google Drive',
    options: {
      ...CLIENT_ID,
      root_folder_id: 'ID of the folder. It is the last part of its address.',
      team_drive: 'ID of a shared drive.',
      shared_with_me: '`true` for what others have shared with the account.',
      impersonate: 'E-mail address of the person whose files a service account reads.',
      export_formats: 'Formats of Google documents. Default: `docx,xlsx,pptx,svg`.',
    },
    secrets: { ...TOKEN, ...CLIENT_SECRET, ...ACCOUNT_KEYS },
    required: [['token', 'service_account_credentials']],
  },
  onedrive: {
    title: 'OneDrive and SharePoint Online',
    options: {
      ...CLIENT_ID,
      drive_id: 'ID of the drive, as `rclone config` shows it.',
      drive_type: '`personal`, `business`, or `documentLibrary` for SharePoint.',
      region: '`global`, `us`, `de` or `cn`. Default: `global`.',
      tenant: 'ID of the tenant, for an application of your own.',
      client_credentials: '`true` to sign in as the application instead of a person.',
    },
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['drive_id'], ['drive_type'], ['token', 'client_secret']],
  },
  dropbox: {
    title: 'Dropbox',
    options: {
      ...CLIENT_ID,
      impersonate: 'E-mail address of the team member whose files are read.',
      root_namespace: 'ID of the namespace, for team spaces.',
    },
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['token']],
  },
  box: {
    title: 'Box',
    options: { ...CLIENT_ID, root_folder_id: 'ID of the folder.' },
    secrets: { ...TOKEN, ...CLIENT_SECRET, access_token: 'Primary access token of an application' },
    required: [['token', 'access_token']],
  },
  webdav: {
    title: 'WebDAV (Nextcloud, ownCloud, SharePoint Server …)',
    options: {
      url: 'Address, such as `https://cloud.example.com/remote.php/dav/files/USER`.',
      vendor:
        'Who made it: `nextcloud`, `owncloud`, `infinitescale`, `sharepoint`, `fastmail`, `rclone` or `other`. Default: `other`.',
      user: 'User name.',
    },
    secrets: { pass: 'Password', bearer_token: 'Bearer token' },
    required: [['url']],
  },
  sftp: {
    title: 'SFTP',
    options: {
      host: 'Host, such as `files.example.com`.',
      port: 'Port. Default: 22.',
      user: 'User name.',
      host_keys:
        'Public keys of the host, such as `ssh-ed25519 AAAA…`, separated by commas. Without them any host is believed.',
    },
    secrets: {
      pass: 'Password',
      key_pem: 'Private key, as the content of its PEM file',
      key_file_pass: 'Passphrase of the private key',
    },
    required: [['host'], ['user'], ['pass', 'key_pem']],
  },
  ftp: {
    title: 'FTP and FTPS',
    options: {
      host: 'Host, such as `files.example.com`.',
      port: 'Port. Default: 21, or 990 with `tls`.',
      user: 'User name. Default: `anonymous`.',
      tls: '`true` for FTPS that is encrypted from the beginning.',
      explicit_tls: '`true` for FTPS that is encrypted after the greeting.',
    },
    secrets: { pass: 'Password' },
    required: [['host'], ['pass']],
  },
  smb: {
    title: 'SMB (Windows shares)',
    options: {
      host: 'Host, such as `files.example.com`.',
      port: 'Port. Default: 445.',
      user: 'User name. Default: `guest`.',
      domain: 'Domain. Default: `WORKGROUP`.',
    },
    secrets: { pass: 'Password' },
    required: [['host']],
  },
  azureblob: {
    title: 'Azure Blob Storage',
    options: AZURE_OPTIONS,
    secrets: AZURE_SECRETS,
    required: [['key', 'sas_url', 'client_secret']],
  },
  azurefiles: {
    title: 'Azure Files',
    options: { ...AZURE_OPTIONS, share_name: 'Name of the share.' },
    secrets: AZURE_SECRETS,
    required: [['share_name'], ['key', 'sas_url', 'client_secret']],
  },
  gcs: {
    title: 'Google Cloud Storage',
    options: {
      ...CLIENT_ID,
      project_number: 'Number of the project. It is needed to list buckets.',
      anonymous: '`true` for public buckets.',
    },
    secrets: { ...TOKEN, ...CLIENT_SECRET, ...ACCOUNT_KEYS },
    required: [['token', 'service_account_credentials', 'anonymous']],
  },
  b2: {
    title: 'Backblaze B2',
    options: { account: 'ID of the account or of the application key.' },
    secrets: { key: 'Application key' },
    required: [['account'], ['key']],
  },
  swift: {
    title: 'OpenStack Swift',
    options: {
      auth: 'Address for authentication, such as `https://auth.example.com/v3`.',
      user: 'User name.',
      tenant: 'Name of the project.',
      domain: 'Domain of the user.',
      tenant_domain: 'Domain of the project.',
      region: 'Region.',
      application_credential_id: 'ID of an application credential.',
    },
    secrets: {
      key: 'Password or API key',
      application_credential_secret: 'Secret of the application credential',
    },
    required: [['auth']],
  },
  pcloud: {
    title: 'pCloud',
    options: { ...CLIENT_ID, hostname: '`api.pcloud.com`, or `eapi.pcloud.com` for the European Union.' },
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['token']],
  },
  koofr: {
    title: 'Koofr and Digi Storage',
    options: {
      provider: '`koofr`, `digistorage` or `other`.',
      endpoint: 'Address, for `other`.',
      user: 'User name.',
    },
    secrets: { password: 'Password for applications' },
    required: [['provider'], ['user'], ['password']],
  },
  hidrive: {
    title: 'HiDrive',
    options: { ...CLIENT_ID, root_prefix: 'Folder that is the root.' },
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['token']],
  },
  seafile: {
    title: 'Seafile',
    options: { url: 'Address.', user: 'E-mail address.', library: 'Name of the library.' },
    secrets: { pass: 'Password', auth_token: 'Authentication token', library_key: 'Password of the library' },
    required: [['url'], ['user'], ['pass', 'auth_token']],
  },
  zoho: {
    title: 'Zoho WorkDrive',
    options: {
      ...CLIENT_ID,
      region: 'Region, such as `com` or `eu`.',
      root_folder_id: 'ID of the folder.',
    },
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['token'], ['region'], ['root_folder_id']],
  },
  yandex: {
    title: 'Yandex Disk',
    options: CLIENT_ID,
    secrets: { ...TOKEN, ...CLIENT_SECRET },
    required: [['token']],
  },
} as const satisfies Record<string, StorageProvider>;

export type StorageProviderName = keyof typeof PROVIDERS;
export const STORAGE_PROVIDERS: Readonly<Record<StorageProviderName, StorageProvider>> = PROVIDERS;
export const STORAGE_PROVIDER_NAMES = Object.keys(PROVIDERS) as [
  StorageProviderName,
  ...StorageProviderName[],
];
