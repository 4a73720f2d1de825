/** Settings from engine directives (`SecRuleEngine`, `SecRequestBodyLimit`, …). */
export interface EngineSettings {
  readonly engine: EngineMode
  readonly requestBodyAccess: boolean
  /** Bytes. */
  readonly requestBodyLimit: number
  /** Bytes of a body without those of uploaded files. */
  readonly requestBodyNoFilesLimit: number
  readonly requestBodyLimitAction: LimitAction
  readonly jsonDepthLimit: number
  readonly argumentsLimit: number
  readonly responseBodyAccess: boolean
  /** Lower case, without parameters. */
  readonly responseBodyMimeTypes: ReadonlySet<string>
  /** Bytes. */
  readonly responseBodyLimit: number
  readonly responseBodyLimitAction: LimitAction
  /** Lifetime of a persistent collection after its last change, in seconds. */
  readonly collectionTimeoutSec: number
}

export type EngineMode = 'On' | 'Off' | 'DetectionOnly'
export type LimitAction = 'Reject' | 'ProcessPartial'

/**
 * The settings before any directive: the sizes of ModSecurity 2. But the engine and both bodies are on, with partial
 * inspection of longer bodies, because a compiled program is meant to run.
 */
export const defaultSettings: EngineSettings = {
  engine: 'On',
  requestBodyAccess: true,
  requestBodyLimit: 134_217_728,
  requestBodyNoFilesLimit: 1_048_576,
  requestBodyLimitAction: 'ProcessPartial',
  jsonDepthLimit: 512,
  argumentsLimit: 1000,
  responseBodyAccess: true,
  responseBodyMimeTypes: new Set(['text/plain', 'text/html']),
  responseBodyLimit: 524_288,
  responseBodyLimitAction: 'ProcessPartial',
  collectionTimeoutSec: 3600,
}
