export { isBehind } from './batch/batch-builder.ts'
export { openInstantLogs } from './instant/instant-logs.ts'
export { InstantLimitError } from './instant/limit-error.ts'
export { checkInstantSession, type InstantWish, instantSessionEnd } from './instant/session.ts'
export { createJob, updateJob, validateLogpullOptions, type WantedJob } from './jobs/job.ts'
export { momentForms, momentOf } from './jobs/moment.ts'
export {
  type JobBackends,
  ReplayRangeError,
  recordsElsewhere,
  reportJob,
  requestReplay,
  startJob,
} from './jobs/operations.ts'
export { issueOwnership, ownershipFault } from './jobs/ownership.ts'
export { pullLogs, RayIdTooFarError } from './logpull/logpull.ts'
export { type PullOptions, pulledFields, pullFormat, pullRange } from './logpull/query.ts'
export { findFields } from './output/fields.ts'
export { logpushCodes, refuseFilter } from './problems.ts'
export { startDelivery } from './run/delivery.ts'
export { jobsOnRecords } from './run/release.ts'
export { checkDestination, destinationNeedsOwnership, maskedDestination } from './sinks/destination.ts'
export type {
  Delivery,
  DeliveryDeps,
  DeliveryOutcome,
  DestinationCheck,
  DestinationPolicy,
  InstantEnd,
  InstantListener,
  InstantLogs,
  InstantStats,
  JobLag,
  JobReport,
  LogPull,
  OwnershipIssue,
  OwnershipOwner,
  ReplayRequest,
} from './types.ts'
