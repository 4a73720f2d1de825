import type { DestinationField, DestinationKind, Values } from './kind.ts'

const folder: DestinationField = {
  name: 'folder',
  label: 'Folder',
  at: 'address',
  value: 'http/{DATE}',
  help: '{DATE} becomes the UTC day and {HOUR} the hour of the lines. Empty: objects lie at the top.',
}

export const manifest: DestinationField = {
  name: 'manifest',
  label: 'List of each hour’s objects',
  at: { parameter: 'manifest' },
  choices: [
    { value: '', label: 'No' },
    { value: 'hourly', label: 'Hourly manifest with line counts and hashes' },
  ],
  rare: true,
}

const keys: readonly DestinationField[] = [
  { name: 'key', label: 'Access key ID', at: { parameter: 'access-key-id' }, secret: true },
  { name: 'secret', label: 'Secret access key', at: { parameter: 'secret-access-key' }, secret: true },
]

const requiredKeys = keys.map(field => ({ ...field, required: true }))

const bucket: DestinationField = {
  name: 'bucket',
  label: 'Bucket',
  at: 'address',
  required: true,
  pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  otherwise: 'Names of buckets are 3 to 63 lower-case letters, digits, dots and hyphens',
}

const region: DestinationField = {
  name: 'region',
  label: 'Region',
  at: { parameter: 'region' },
  required: true,
  placeholder: 'eu-central-1',
  pattern: /^[a-z0-9-]{1,32}$/,
  otherwise: 'A region looks like eu-central-1',
}

const encryption: DestinationField = {
  name: 'encryption',
  label: 'Server-side encryption',
  at: { parameter: 'sse' },
  choices: [
    { value: '', label: 'As the bucket says' },
    { value: 'AES256', label: 'AES256' },
  ],
  rare: true,
}

const addressing: DestinationField = {
  name: 'addressing',
  label: 'Where the bucket stands in addresses',
  at: { parameter: 'addressing' },
  choices: [
    { value: '', label: 'The usual' },
    { value: 'path', label: 'In the path' },
    { value: 'host', label: 'In the host name' },
  ],
  rare: true,
}

/** What every object of the job begins with. */
function prefixOf({ folder: path = '' }: Values): string {
  const fixed = path.split('{')[0]!.replace(/^\/+|\/+$/g, '')
  return fixed === '' ? '*' : `${fixed}/*`
}

function s3Policy(values: Values): string {
  const statement = {
    Effect: 'Allow',
    Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
    Resource: `arn:aws:s3:::${values['bucket'] || 'BUCKET'}/${prefixOf(values)}`,
  }
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, undefined, 2)
}

export const objectStores: readonly DestinationKind[] = [
  {
    id: 's3',
    title: 'Amazon S3',
    about: 'Objects in a bucket of Amazon S3',
    template: 's3://{bucket}/{folder}',
    fields: [
      bucket,
      folder,
      region,
      {
        ...keys[0]!,
        help: 'With both empty the AWS credentials of the machine are used, and you prove that the bucket is yours.',
      },
      keys[1]!,
      manifest,
      encryption,
      addressing,
    ],
    check: ({ key = '', secret = '' }): Values => {
      if ((key === '') === (secret === '')) return {}
      return { [key === '' ? 'key' : 'secret']: 'Both keys, or none' }
    },
    needsOwnership: ({ key = '' }) => key === '',
    challengeAt: 'in the bucket',
    permissions: values => [{ title: 'Policy for the user or role that writes', text: s3Policy(values) }],
  },
  {
    id: 's3-compatible',
    title: 'S3-compatible storage',
    about: 'MinIO, Ceph, Wasabi, Backblaze B2 and others that speak S3',
    template: 's3://{bucket}/{folder}',
    fields: [
      bucket,
      folder,
      {
        name: 'endpoint',
        label: 'Endpoint',
        at: { parameter: 'endpoint' },
        required: true,
        placeholder: 's3.example.com',
        help: 'The host, without bucket and path. http://HOST:PORT is taken as well.',
        pattern: /^(?:https?:\/\/)?[^/\s?#@]+\/?$/,
        otherwise: 'A host such as s3.example.com, without bucket and path',
      },
      { ...region, value: 'us-east-1', help: 'As the server says; often us-east-1.' },
      ...requiredKeys,
      manifest,
      encryption,
      addressing,
    ],
    permissions: values => [{ title: 'Policy for the user that writes', text: s3Policy(values) }],
  },
  {
    id: 'r2',
    title: 'Cloudflare R2',
    about: 'Objects in an R2 bucket',
    template: 'r2://{bucket}/{folder}',
    fields: [
      bucket,
      folder,
      {
        name: 'account',
        label: 'Account ID',
        at: { parameter: 'account-id' },
        required: true,
        pattern: /^[0-9a-z]{1,64}$/,
        otherwise: 'The 32 hex digits of the account at Cloudflare',
      },
      { ...requiredKeys[0]!, help: 'Of an R2 API token with Object Read & Write on this bucket.' },
      requiredKeys[1]!,
      manifest,
    ],
  },
  {
    id: 'gs',
    title: 'Google Cloud Storage',
    about: 'Objects in a bucket, with the service account of the machine',
    template: 'gs://{bucket}/{folder}',
    fields: [
      {
        ...bucket,
        pattern: /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/,
        otherwise: 'Names of buckets are lower-case letters, digits, dots, hyphens and underscores',
        help: 'GOOGLE_APPLICATION_CREDENTIALS of the process names the key file of the service account.',
      },
      folder,
      manifest,
    ],
    needsOwnership: () => true,
    challengeAt: 'in the bucket',
    permissions: ({ bucket: name }) => [
      {
        title: 'Give the service account the right to write',
        text: `gcloud storage buckets add-iam-policy-binding gs://${name || 'BUCKET'} --member=serviceAccount:ACCOUNT --role=roles/storage.objectCreator`,
      },
    ],
  },
  {
    id: 'azure',
    title: 'Azure Blob Storage',
    about: 'Blobs in a container, with a shared access signature',
    template: 'azure://{host}/{container}/{folder}',
    fields: [
      {
        name: 'host',
        label: 'Host',
        at: 'address',
        required: true,
        placeholder: 'ACCOUNT.blob.core.windows.net',
        pattern: /^[^/\s?#@]+$/,
        otherwise: 'The host of the storage account, without https:// and path',
      },
      {
        name: 'container',
        label: 'Container',
        at: 'address',
        required: true,
        pattern: /^[^/\s?#]+$/,
        otherwise: 'The name of one container',
      },
      folder,
      {
        name: 'signature',
        label: 'SAS token',
        at: 'query',
        required: true,
        secret: true,
        pattern: /(?:^|[?&])sig=/,
        otherwise: 'A shared access signature has sv=…, sp=… and sig=… in it',
        help: 'What stands behind the question mark of the SAS address. It needs the blob service, objects only and the right to write.',
      },
      manifest,
    ],
    permissions: ({ host = '' }) => [
      {
        title: 'Make a signature that lasts',
        text: `az storage account generate-sas --account-name ${host.split('.')[0] || 'ACCOUNT'} --services b --resource-types o --permissions w --https-only --expiry 2031-12-31`,
      },
    ],
  },
]
