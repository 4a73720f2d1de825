import type { StoredRecord } from '../../src/bus/index.ts'
import type { LogpushJob, Scope } from '../../src/model/resource.ts'
import type { Random } from './random.ts'
import { accountId, zoneIds } from './records.ts'
import type { Theme } from './themes.ts'

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
  /** Selects the kept records that have to be delivered; all without it. */
  readonly must?: (record: StoredRecord) => boolean
  /** It is switched off and on: what comes while it is off is not delivered. */
  readonly onAndOff: boolean
  /** The member that a user changes during delivery; a new destination is a new folder below the old one. */
  readonly edited?: 'filter' | 'destination'
  readonly manifest: boolean
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
  manifest: false,
}

/** A job's filters one after another; all of them keep only what `editedFilter` must deliver. */
export const editedFilters: readonly (string | null)[] = [
  null,
  '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}',
  '{"where":{"key":"ClientRequestMethod","operator":"eq","value":"POST"}}',
]

const edited: readonly JobPlan[] = [
  {
    ...plain,
    name: 'edited-filter',
    edited: 'filter',
    must: ({ fields }) =>
      (fields['EdgeResponseStatus'] as number) >= 400 && fields['ClientRequestMethod'] === 'POST',
  },
  { ...plain, name: 'edited-destination', edited: 'destination' },
  { ...plain, name: 'edited-folder', to: 'files', edited: 'destination' },
]

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

const partsRecordsMax = 60

/** Three to six jobs for the theme, and sometimes one that is switched on and off. */
export function chooseJobs(random: Random, theme: Theme, quota: boolean): JobPlan[] {
  const left = jobPlans.filter(({ scope, dataset }) => {
    return !quota || (scope.id !== zoneIds[1] && scope.id !== zoneIds[2] && dataset === plain.dataset)
  })
  const chosen = theme === 'edits' ? [...edited] : theme === 'any' ? [] : left.splice(0, 1)
  for (let count = random.int(3, 6) - chosen.length; count > 0 && left.length > 0; count--)
    chosen.push(...left.splice(random.int(0, left.length - 1), 1))
  if (random.chance(0.3) && !quota)
    chosen.push({ ...plain, name: 'on-and-off', maxUploadRecords: 25, onAndOff: true })
  if (theme === 'manifests') return chosen.map(plan => ({ ...plan, manifest: !plan.onAndOff }))
  // A whole backlog in one object would be more parts than a busy machine takes in the time of an upload.
  if (theme === 'parts')
    return chosen.map(plan => ({ ...plan, maxUploadRecords: plan.maxUploadRecords ?? partsRecordsMax }))
  return chosen
}

/** @param folder below the job's own, for one that moves */
export function destinationOf(plan: JobPlan, bucketUrl: string, filesFolder: string, folder = ''): string {
  const { name, to, subfolder, manifest } = plan
  const path = `${name}${plan.edited === 'destination' ? `/at${folder}` : ''}${subfolder}`
  if (to === 'files') return `file://${filesFolder}/${path}${manifest ? '?manifest=hourly' : ''}`
  const query = `region=us-east-1&endpoint=${encodeURIComponent(bucketUrl)}&access-key-id=KEY&secret-access-key=SECRET`
  return `s3://logs/${path}?${query}${manifest ? '&manifest=hourly' : ''}`
}

export function jobOf(plan: JobPlan, bucketUrl: string, filesFolder: string): Omit<LogpushJob, 'id'> {
  const { name, scope, dataset, filter, outputOptions, maxUploadRecords } = plan
  return {
    scope,
    name,
    enabled: false,
    dataset,
    destinationConf: destinationOf(plan, bucketUrl, filesFolder),
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
