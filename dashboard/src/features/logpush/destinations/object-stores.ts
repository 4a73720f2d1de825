import type { DestinationField, DestinationKind, Values } from './kind.ts'

const folder: DestinationField = {
  name: 'folder',
  label: 'Folder',
  at: 'address',
  value: 'http/{DATE}',
  help: '{DATE} becomes the UTC day, {HOUR} the hour of the lines. Empty: top level of the bucket.',
}

export const manifest: DestinationField = {
  name: 'manifest',
  label: 'Hourly manifest',
  at: { parameter: 'manifest' },
  choices: [
    { value: '', label: 'None' },
    { value: 'hourly', label: 'Line counts and hashes of each hour’s objects' },
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
  otherwise: 'Use 3 to 63 lower-case letters, digits, dots and hyphens',
}

const region: DestinationField = {
  name: 'region',
  label: 'Region',
  at: { parameter: 'region' },
  required: true,
  placeholder: 'eu-central-1',
  pattern: /^[a-z0-9-]{1,32}$/,
  otherwise: 'Enter a region such as eu-central-1',
}

const encryption: DestinationField = {
  name: 'encryption',
  label: 'Server-side encryption',
  at: { parameter: 'sse' },
  choices: [
    { value: '', label: 'Bucket default' },
    { value: 'AES256', label: 'AES256' },
  ],
  rare: true,
}

const addressing: DestinationField = {
  name: 'addressing',
  label: 'Bucket addressing',
  at: { parameter: 'addressing' },
  choices: [
    { value: '', label: 'Default' },
    { value: 'path', label: 'Path style' },
    { value: 'host', label: 'Virtual-hosted style' },
  ],
  rare: true,
}

/** Key prefix of all objects of the job. */
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
        help: 'Leave both empty to use the server’s AWS credentials; you then verify ownership of the bucket.',
      },
      keys[1]!,
      manifest,
      encryption,
      addressing,
    ],
    check: ({ key = '', secret = '' }): Values => {
      if ((key === '') === (secret === '')) return {}
      return { [key === '' ? 'key' : 'secret']: 'Enter both keys, or neither' }
    },
    needsOwnership: ({ key = '' }) => key === '',
    challengeAt: 'in the bucket',
    permissions: values => [{ title: 'IAM policy for the writing user or role', text: s3Policy(values) }],
  },
  {
    id: 's3-compatible',
    title: 'S3-compatible storage',
    about: 'MinIO, Ceph, Wasabi, Backblaze B2 and other S3-compatible services',
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
        help: 'The host, without bucket and path. http://HOST:PORT also works.',
        pattern: /^(?:https?:\/\/)?[^/\s?#@]+\/?$/,
        otherwise: 'Enter a host such as s3.example.com, without bucket and path',
      },
      { ...region, value: 'us-east-1', help: 'See the server’s documentation; often us-east-1.' },
      ...requiredKeys,
      manifest,
      encryption,
      addressing,
    ],
    permissions: values => [{ title: 'Policy for the writing user', text: s3Policy(values) }],
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
        otherwise: 'Enter the 32 hex digits of the Cloudflare account',
      },
      { ...requiredKeys[0]!, help: 'From an R2 API token with Object Read & Write on this bucket.' },
      requiredKeys[1]!,
      manifest,
    ],
  },
  {
    id: 'gs',
    title: 'Google Cloud Storage',
    about: 'Objects in a bucket, with the server’s service account',
    template: 'gs://{bucket}/{folder}',
    fields: [
      {
        ...bucket,
        pattern: /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/,
        otherwise: 'Use lower-case letters, digits, dots, hyphens and underscores',
        help: 'Set GOOGLE_APPLICATION_CREDENTIALS to the key file of the service account.',
      },
      folder,
      manifest,
    ],
    needsOwnership: () => true,
    challengeAt: 'in the bucket',
    permissions: ({ bucket: name }) => [
      {
        title: 'Grant write access to the service account',
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
        otherwise: 'Enter the host of the storage account, without https:// and path',
      },
      {
        name: 'container',
        label: 'Container',
        at: 'address',
        required: true,
        pattern: /^[^/\s?#]+$/,
        otherwise: 'Enter a container name',
      },
      folder,
      {
        name: 'signature',
        label: 'SAS token',
        at: 'query',
        required: true,
        secret: true,
        pattern: /(?:^|[?&])sig=/,
        otherwise: 'A shared access signature contains sv=…, sp=… and sig=…',
        help: 'The query of the SAS URL, without the question mark. Allow blob service, objects and write.',
      },
      manifest,
    ],
    permissions: ({ host = '' }) => [
      {
        title: 'Create a long-lived SAS token',
        text: `az storage account generate-sas --account-name ${host.split('.')[0] || 'ACCOUNT'} --services b --resource-types o --permissions w --https-only --expiry 2031-12-31`,
      },
    ],
  },
]
