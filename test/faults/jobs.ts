import type { StoredRecord } from '../../src/bus/index.ts'
import type { LogpushJob, Scope } from '../../src/model/resource.ts'
import type { Random } from './random.ts'
import { accountId, zoneIds } from './records.ts'

/** A job of a seed, and what it has to deliver. */
export interface JobPlan {
  /** Also the folder of its objects. */
  readonly name: string
  readonly to: 'bucket' | 'files'
  /** Below its folder. */
  readonly subfolder: string
  readonly scope: Scope
  readonly dataset: 'http_requests' | 'firewall_events'
  readonly filter: string | null
  readonly outputOptions: NonNullable<LogpushJob['outputOptions']>
  readonly maxUploadRecords: number | null
  readonly keeps: (record: StoredRecord) => boolean
  /** It is switched off and on: what comes while it is off is not delivered. */
  readonly onAndOff: boolean
}

const zone = (index: number): Scope => ({ kind: 'zone', id: zoneIds[index]! })
const account: Scope = { kind: 'account', id: accountId }
const ndjson = { output_type: 'ndjson', field_names: ['RayID', 'EdgeResponseStatus', 'ClientRequestURI'] }

const plain: JobPlan = {
  name: 'plain',
  to: 'bucket',
  subfolder: '',
  scope: zone(0),
  dataset: 'http_requests',
  filter: null,
  outputOptions: ndjson,
  maxUploadRecords: null,
  keeps: ({ zone }) => zone === zoneIds[0],
  onAndOff: false,
}

const jobPlans: readonly JobPlan[] = [
  plain,
  {
    ...plain,
    name: 'filtered',
    filter: '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}',
    maxUploadRecords: 40,
    keeps: ({ zone, fields }) => zone === zoneIds[0] && (fields['EdgeResponseStatus'] as number) >= 400,
  },
  {
    ...plain,
    name: 'whole-account',
    to: 'files',
    scope: account,
    keeps: record => record.account === accountId,
  },
  {
    ...plain,
    name: 'account-posts',
    scope: account,
    filter: '{"where":{"or":[{"key":"ClientRequestMethod","operator":"eq","value":"POST"}]}}',
    keeps: ({ account, fields }) => account === accountId && fields['ClientRequestMethod'] === 'POST',
  },
  {
    ...plain,
    name: 'events',
    subfolder: '/{DATE}/{HOUR}',
    scope: zone(1),
    dataset: 'firewall_events',
    outputOptions: { output_type: 'ndjson', field_names: ['RayID', 'Action', 'ClientRequestPath'] },
    keeps: ({ zone }) => zone === zoneIds[1],
  },
  {
    ...plain,
    name: 'table',
    to: 'files',
    scope: zone(1),
    outputOptions: {
      ...ndjson,
      output_type: 'csv',
      batch_prefix: 'ray,status,uri\n',
    },
    keeps: ({ zone }) => zone === zoneIds[1],
  },
  { ...plain, name: 'small', maxUploadRecords: 7 },
  {
    ...plain,
    name: 'other-account',
    scope: zone(2),
    to: 'files',
    subfolder: '/{DATE}',
    keeps: ({ zone }) => zone === zoneIds[2],
  },
  {
    ...plain,
    name: 'nothing',
    filter: '{"where":{"key":"RayID","operator":"eq","value":"none"}}',
    keeps: () => false,
  },
]

/** Three to six of them, and now and then one that is switched on and off. */
export function chooseJobs(random: Random): JobPlan[] {
  const left = [...jobPlans]
  const chosen: JobPlan[] = []
  for (let count = random.int(3, 6); count > 0; count--)
    chosen.push(...left.splice(random.int(0, left.length - 1), 1))
  if (random.chance(0.3)) chosen.push({ ...plain, name: 'on-and-off', maxUploadRecords: 25, onAndOff: true })
  return chosen
}

export function jobOf(plan: JobPlan, bucketUrl: string, filesFolder: string): Omit<LogpushJob, 'id'> {
  const { name, to, subfolder, scope, dataset, filter, outputOptions, maxUploadRecords } = plan
  const endpoint = encodeURIComponent(bucketUrl)
  const query = `region=us-east-1&endpoint=${endpoint}&access-key-id=KEY&secret-access-key=SECRET`
  return {
    scope,
    name,
    enabled: false,
    dataset,
    destinationConf:
      to === 'bucket'
        ? `s3://logs/${name}${subfolder}?${query}`
        : `file://${filesFolder}/${name}${subfolder}`,
    logpullOptions: null,
    outputOptions,
    filter,
    frequency: 'high',
    kind: '',
    maxUploadBytes: null,
    // Less than a person may ask for.
    maxUploadIntervalSeconds: 0.06,
    maxUploadRecords,
    revision: 1,
    lastComplete: null,
    lastError: null,
    errorMessage: null,
    paused: false,
  }
}
