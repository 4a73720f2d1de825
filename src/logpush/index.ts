export { startDelivery, startJob } from './delivery.ts'
export { checkDestination, destinationNeedsOwnership } from './destination.ts'
export { createJob, updateJob, validateLogpullOptions } from './job.ts'
export { pullLogs, RayIdTooFarError } from './logpull.ts'
export { type PullOptions, pulledFields, pullFormat, pullRange } from './logpull-query.ts'
export { issueOwnership, verifyOwnership } from './ownership.ts'
export { logpushCodes } from './problems.ts'
export type {
  Delivery,
  DeliveryDeps,
  DeliveryOutcome,
  DestinationCheck,
  LogPull,
  OwnershipIssue,
  OwnershipOwner,
} from './types.ts'
