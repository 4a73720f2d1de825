import type { Operation } from './openapi-operation.ts'
import type { Area, Level } from './permissions-groups.ts'

/** @param base path of an account or a zone */
export function logpushOperations(
  base: string,
  at: 'Account' | 'Zone',
  area: Area,
): Record<string, Operation> {
  const whose = at === 'Zone' ? 'of a zone' : 'of an account'
  const one = (id: string, summary: string, level: Level, result: string, body?: string): Operation => ({
    id: `${id}${at}`,
    tag: 'Logpush',
    summary,
    need: [area, level],
    result,
    ...(body === undefined ? {} : { body }),
  })
  const jobs = `${base}/logpush/jobs`
  const job = `${jobs}/:job_id`
  const fields = `${base}/logpush/datasets/:dataset/fields`
  const datasetJobs = `${base}/logpush/datasets/:dataset/jobs`
  const ownership = `${base}/logpush/ownership`
  const validate = `${base}/logpush/validate`
  return {
    [`GET ${jobs}`]: one('listLogpushJobs', `List the jobs ${whose}`, 'read', 'list:LogpushJob'),
    [`POST ${jobs}`]: one(
      'createLogpushJob',
      `Create a job ${whose}`,
      'write',
      'LogpushJob',
      'LogpushJobInput',
    ),
    [`GET ${job}`]: one('getLogpushJob', `Get a job ${whose}`, 'read', 'LogpushJob'),
    [`PUT ${job}`]: one(
      'updateLogpushJob',
      `Change a job ${whose}`,
      'write',
      'LogpushJob',
      'LogpushJobUpdate',
    ),
    [`DELETE ${job}`]: one('deleteLogpushJob', `Delete a job ${whose}`, 'write', 'JobId'),
    [`GET ${job}/health`]: one(
      'getLogpushHealth',
      `How the delivery of a job ${whose} is doing`,
      'read',
      'LogpushHealth',
    ),
    [`POST ${job}/replay`]: one(
      'createLogpushReplay',
      `Let a job ${whose} deliver the records of a time once more`,
      'write',
      'LogpushReplay',
    ),
    [`GET ${job}/replays`]: one(
      'listLogpushReplays',
      `List the replays of a job ${whose}, newest first`,
      'read',
      'list:LogpushReplay',
    ),
    [`GET ${job}/replays/:replay_id`]: one(
      'getLogpushReplay',
      `Get a replay of a job ${whose}`,
      'read',
      'LogpushReplay',
    ),
    [`GET ${fields}`]: one('listDatasetFields', `Fields of a dataset ${whose}`, 'read', 'Fields'),
    [`GET ${fields}/default`]: one(
      'listDefaultFields',
      `Fields of a dataset ${whose} that jobs deliver unless they name some`,
      'read',
      'Fields',
    ),
    [`GET ${datasetJobs}`]: one(
      'listDatasetJobs',
      `Jobs ${whose} that push a dataset`,
      'read',
      'list:LogpushJob',
    ),
    [`POST ${ownership}`]: one(
      'createOwnership',
      `Write an ownership challenge ${whose} to a destination`,
      'write',
      'Ownership',
    ),
    [`POST ${ownership}/validate`]: one(
      'validateOwnership',
      `Check an ownership challenge ${whose}`,
      'write',
      'Valid',
    ),
    [`POST ${validate}/destination`]: one(
      'validateDestination',
      `Write a probe to a destination for jobs ${whose}`,
      'write',
      'Valid',
    ),
    [`POST ${validate}/destination/exists`]: one(
      'destinationExists',
      `Does a job ${whose} push to this destination?`,
      'write',
      'Exists',
    ),
    [`POST ${validate}/origin`]: one(
      'validateLogpullOptions',
      `Check logpull options for jobs ${whose}`,
      'write',
      'Valid',
    ),
  }
}

/** @param zone path of a zone */
export function instantLogsOperations(zone: string): Record<string, Operation> {
  const one = (id: string, summary: string, result: string): Operation => ({
    id,
    tag: 'Instant Logs',
    summary,
    // To listen is to read.
    need: ['zoneLogs', 'read'],
    result,
  })
  const list = 'List the active sessions of a zone'
  const create = 'Create a session to look at records as they come'
  return {
    [`GET ${zone}/logpush/edge/jobs`]: one('listInstantLogs', list, 'list:InstantSession'),
    [`POST ${zone}/logpush/edge/jobs`]: one('createInstantLogs', create, 'InstantSession'),
    [`DELETE ${zone}/logpush/edge/jobs`]: one(
      'endInstantLogs',
      'End the active session of a zone',
      'list:InstantSession',
    ),
    [`GET ${zone}/logpush/edge`]: one('listInstantLogsOld', `${list} (older path)`, 'list:InstantSession'),
    [`POST ${zone}/logpush/edge`]: one('createInstantLogsOld', `${create} (older path)`, 'InstantSession'),
    'GET /instant-logs/ws/sessions/:session_id': {
      id: 'listenToInstantLogs',
      tag: 'Instant Logs',
      summary: 'The WebSocket of a session; its id is the credential',
      need: 'open',
    },
  }
}

/** @param zone path of a zone */
export function logpullOperations(zone: string): Record<string, Operation> {
  const base = `${zone}/logs`
  const one = (id: string, summary: string, level: Level, result?: string): Operation => ({
    id,
    tag: 'Logpull',
    summary,
    need: ['zoneLogs', level],
    ...(result === undefined ? {} : { result }),
  })
  const flag = `${base}/control/retention/flag`
  const redaction = `${base}/control/redaction`
  return {
    [`GET ${base}/received`]: one(
      'pullReceivedLogs',
      'Records that were received in a range of time',
      'read',
    ),
    [`GET ${base}/received/fields`]: one('listPulledFields', 'Fields that records can have', 'read'),
    [`GET ${base}/sample`]: one(
      'sampleLogs',
      'The newest records that are kept; Sluice’s own',
      'read',
      'LogSample',
    ),
    [`GET ${base}/rayids/:ray_id`]: one('pullLogsOfRay', 'Records with a ray id', 'read'),
    [`GET ${flag}`]: one('getLogRetention', 'May records be pulled?', 'read', 'LogRetention'),
    [`POST ${flag}`]: one('setLogRetention', 'Let records be pulled, or not', 'write', 'LogRetention'),
    [`GET ${redaction}`]: one('getRedaction', 'What is taken out of records', 'read', 'Redaction'),
    [`PUT ${redaction}`]: one('updateRedaction', 'Change what is taken out of records', 'write', 'Redaction'),
  }
}
