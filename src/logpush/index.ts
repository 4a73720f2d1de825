export { startDelivery } from './delivery.ts'
export { checkDestination, destinationNeedsOwnership, maskedDestination } from './destination.ts'
export { openInstantLogs } from './instant/instant-logs.ts'
export { InstantLimitError } from './instant/limit-error.ts'
export { checkInstantSession, type InstantWish, instantSessionEnd } from './instant/session.ts'
export { createJob, updateJob, validateLogpullOptions, type WantedJob } from './job.ts'
export { type JobPlace, ReplayRangeError, reportJob, requestReplay, startJob } from './job-place.ts'
export { pullLogs, RayIdTooFarError } from './logpull.ts'
export { type PullOptions, pulledFields, pullFormat, pullRange } from './logpull-query.ts'
export { momentForms, momentOf } from './moment.ts'
export { issueOwnership, verifyOwnership } from './ownership.ts'
export { logpushCodes } from './problems.ts'
export type {
  Delivery,
  DeliveryDeps,
  DeliveryOutcome,
  DestinationCheck,
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
