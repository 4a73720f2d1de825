import type { Clock } from '../kit/clock.ts'
import type { SourceFile } from '../seclang/ast.ts'

/** What `compile` needs from the outside; the room itself does no I/O. */
export interface CompileOptions {
  /** Text of a file that `@pmFromFile` names, relative to the rule file; undefined when there is none. */
  readonly readData: (name: string, fromSource: string) => string | undefined
  /**
   * Rules whose disruptive action is ignored, by id ranges (both ends included): the blocking evaluation of the CRS,
   * which the managed ruleset's last rule replaces.
   */
  readonly passive?: readonly (readonly [number, number])[]
  /** For DURATION and the life of persistent variables; without one, time stands still while a request is inspected. */
  readonly clock?: Clock
}

export type { SourceFile }

/** A compiled set of rules: immutable, shared by every zone and request. */
export interface Program {
  /** Every rule with an id, in load order. A rule's `index` is its place here. */
  readonly rules: readonly ProgramRule[]
  /** A mask with the rules off for which `off` says so. Only detection rules can be off. */
  mask(off: (rule: ProgramRule) => boolean): RuleMask
  /** Starts one request. Cheap; nothing is evaluated yet. */
  begin(request: WafRequest, mask: RuleMask): Transaction
}

/** One bit a rule; belongs to the program that made it. */
export interface RuleMask {
  readonly enabled: Uint8Array
}

export interface ProgramRule {
  readonly index: number
  /** The number that rule authors gave: 942100. */
  readonly id: number
  readonly phase: 1 | 2 | 3 | 4 | 5
  /**
   * `request` and `response` rules detect something and are what a managed ruleset shows;
   * `support` rules are the machinery (initialisation, paranoia guards, counters, blocking evaluation).
   */
  readonly role: 'request' | 'response' | 'support'
  /** As written, macros unexpanded. */
  readonly message: string
  readonly tags: readonly string[]
  /** 1–4 from `paranoia-level/N`, else from the score that the rule raises; 0 when it has none. */
  readonly paranoiaLevel: number
  readonly severity?: 'CRITICAL' | 'ERROR' | 'WARNING' | 'NOTICE' | 'EMERGENCY' | 'ALERT' | 'INFO' | 'DEBUG'
  /** Points a match adds to the request's score: critical 5, error 4, warning 3, notice 2, else 0. */
  readonly score: number
  readonly source: string
  readonly line: number
  /** The directive with its chain, as written. */
  readonly text: string
}

/** Every string is a byte string (latin-1, one code unit a byte). */
export interface WafRequest {
  /** Text form of the address, after trusted-proxy handling. */
  readonly clientIp: string
  readonly clientPort: number
  readonly serverPort: number
  readonly method: string
  /** The request target as sent: `/a?b=c` or `http://host/a`. */
  readonly target: string
  /** `HTTP/1.1`. */
  readonly protocol: string
  /** As sent and in that order, repeated lines apart. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly uniqueId: string
  readonly startedMs: number
}

/**
 * One request on its way through phases 1 to 5. Call in order; a phase that is not called does not run.
 * Each call returns the interruption that rules asked for (then the remaining phases but `logging` are skipped).
 */
export interface Transaction {
  /** Phase 1. */
  requestHeaders(): Interruption | undefined
  /** Does any rule look at the body? When false, the body may stream past and `requestBody` is given an empty one. */
  readonly wantsRequestBody: boolean
  /**
   * Phase 2; must be called once, also without a body.
   * @param body the body, or its first part
   * @param complete false when the body is longer than what is given
   */
  requestBody(body: Uint8Array, complete: boolean): Interruption | undefined
  /** Phase 3. */
  responseHeaders(
    status: number,
    protocol: string,
    headers: readonly (readonly [name: string, value: string])[],
  ): Interruption | undefined
  /** Is the response's type one whose body rules inspect? Known after phase 3. */
  readonly wantsResponseBody: boolean
  /** Phase 4; same meaning of `complete`. */
  responseBody(body: Uint8Array, complete: boolean): Interruption | undefined
  /** Phase 5; never interrupts. */
  logging(): void
  /** What matched so far, in order, without `nolog` rules; a rule once, with its first match. */
  readonly matches: readonly RuleMatch[]
  /** Sum of the scores of distinct matched `request` rules. */
  readonly requestScore: number
  /** The same of `response` rules. */
  readonly responseScore: number
}

/** A rule of the sources (not of the passive ranges) asked to stop the request; `DetectionOnly` never does. */
export interface Interruption {
  readonly ruleId: number
  readonly action: 'deny' | 'drop' | 'redirect'
  readonly status: number
  readonly location?: string
}

export interface RuleMatch {
  readonly rule: ProgramRule
  /** `ARGS:q`, as the rule names the collection. Byte string. */
  readonly target: string
  /** The value that matched, after transformations. Byte string. */
  readonly value: string
  /** `msg` and `logdata`, macros expanded. Byte strings. */
  readonly message: string
  readonly data: string
}
