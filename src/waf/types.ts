import type { Clock } from '../kit/clock.ts'
import type { SourceFile } from '../seclang/ast.ts'

/** What `compile` needs from the outside; the room itself does no I/O. */
export interface CompileOptions {
  /** Text of a file that `@pmFromFile` names, relative to the rule file; undefined when there is none. */
  readonly readData: (name: string, fromSource: string) => string | undefined
  /** What `Include` and `IncludeOptional` name, in load order (see `ParseOptions`); without it an `Include` is refused. */
  readonly include?: (path: string, fromSource: string) => readonly SourceFile[] | undefined
  /**
   * Rules whose disruptive action is ignored, by id ranges (both ends included): the blocking evaluation of the CRS,
   * which the managed ruleset's last rule replaces.
   */
  readonly passive?: readonly (readonly [number, number])[]
  /** For DURATION and the life of persistent variables; without one, time stands still while a request is inspected. */
  readonly clock?: Clock
  /** Memory for what is remembered of values from earlier requests, in bytes; 0 remembers nothing. Default 8 MiB. */
  readonly memoBytesMax?: number
  /** Bytes of work that one request may cost; see `Transaction.overBudget`. Default 512 MiB. */
  readonly workMax?: number
}

export type { SourceFile }

/** A compiled set of rules: immutable, shared by every zone and request. */
export interface Program {
  /** Every rule with an id, in load order. A rule's `index` is its place here. */
  readonly rules: readonly ProgramRule[]
  /** A mask with the rules off for which `off` says so. Only detection rules can be off. */
  mask(off: (rule: ProgramRule) => boolean): RuleMask
  /**
   * What requests may be excepted from. To be made once and used for many; O(rules).
   * @throws TypeError for a collection that the engine does not know, and for a wrong pattern
   */
  exception(spec: ExceptionSpec): Exception
  /**
   * Starts one request. Cheap; nothing is evaluated yet.
   * @param exceptions of this program: rules that are not run, and targets that rules do not look at
   */
  begin(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction
  /** The same for a request that does not count: what rules write to persistent collections is forgotten with it. */
  rehearse(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction
  /** A rehearsal that tells `observer` what each rule does. Slow: every rule is run, and every value is tested. */
  observe(
    request: WafRequest,
    mask: RuleMask,
    observer: Observer,
    exceptions?: readonly Exception[],
  ): Transaction
  /**
   * Inspects a request up to the application: phases 1, 2 and 5, in slices of a millisecond or so between which others
   * run. Of a body it reads what rules look at, and no more; see `InspectedBody` for who reads the rest.
   * @param mask of this program; without one, all rules are on
   * @throws (rejects) what reading the body throws; TypeError for a part of a body that is not of bytes
   */
  inspect(request: InspectedRequest, mask?: RuleMask): Promise<Inspection>
}

/** Is told what happens in one request, rule by rule. A rule that is not in `mask` is not told of. */
export interface Observer {
  /** A link of a rule (0: the rule itself) has tested a value, or done without: a link of SecAction has `target` ''. */
  tested(test: ObservedTest): void
  /** The values that a link looks at are not there, or all of them are excluded. */
  nothingToTest(rule: ProgramRule, link: number): void
  /** A value is taken out of the rule's targets: by a `ctl` of an earlier rule, or by what the rule itself leaves out. */
  excluded(rule: ProgramRule, link: number, target: string, by: ProgramRule): void
  /** The rule is over. */
  ran(rule: ProgramRule, matched: boolean): void
  /** The rule is not run: a `ctl` has removed it, or a rule before it has jumped over it. */
  skipped(rule: ProgramRule, why: 'removed' | 'jumped-over', by: ProgramRule | undefined): void
  /** The rule that is over has ended the phase, and perhaps those after it. */
  ended(by: ProgramRule, how: 'interrupted' | 'allowed' | 'switched-off'): void
}

export interface ObservedTest {
  readonly rule: ProgramRule
  readonly link: number
  /** `ARGS:q` */
  readonly target: string
  /** As it came, and after the link's transformations. Byte strings. */
  readonly original: string
  readonly value: string
  readonly matched: boolean
  /** What the operator finds in the value, as `capture` would keep it; nothing for most operators. To be asked at once. */
  readonly found: () => readonly (string | undefined)[]
  /** A text of the rule with its macros expanded. To be asked at once. */
  readonly expanded: (text: string) => string
}

export interface ExceptionSpec {
  /** Detection rules that are not run at all. */
  readonly off: (rule: ProgramRule) => boolean
  readonly targets: readonly ExceptedTarget[]
}

/** Values that some detection rules do not look at, as if `ctl:ruleRemoveTargetById` had taken them out. */
export interface ExceptedTarget {
  readonly rules: (rule: ProgramRule) => boolean
  /** `ARGS`, `REQUEST_COOKIES`, …; upper case. */
  readonly collection: string
  /** Of the value inside the collection; absent: the whole collection. Case does not count. */
  readonly key?:
    | { readonly kind: 'exact'; readonly text: string }
    /** Searched in the key; the syntax of `@rx`. */
    | { readonly kind: 'pattern'; readonly text: string }
}

/** Belongs to the program that made it. */
export interface Exception {
  readonly program: Program
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

/** A request as web servers know it, for `Program.inspect`. Strings are byte strings, as Node and Fetch give them. */
export interface InspectedRequest {
  /** Text form of the address. */
  readonly clientIp: string
  readonly method: string
  /** The request target as sent: `/a?b=c`. */
  readonly target: string
  /** Pairs of name and value, in the order sent: an array, `Headers` or a `Map`. */
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body?: InspectedBody | undefined
  /** Default `HTTP/1.1`. */
  readonly protocol?: string | undefined
  /** Default 0. */
  readonly clientPort?: number | undefined
  /** Default 80. */
  readonly serverPort?: number | undefined
  /** UNIQUE_ID; one is made up without it. */
  readonly uniqueId?: string | undefined
  /** Milliseconds since the Unix epoch. Default: now. */
  readonly startedMs?: number | undefined
}

/**
 * A whole body (a text is taken as UTF-8), or its parts as they come. Parts are read until the rules have seen enough;
 * then the source is told (`return` of an iterator, `cancel` of a stream). An application that needs the body as well
 * gives a source that keeps it: one branch of `tee()`, or an iterator that puts back what it gave.
 */
export type InspectedBody =
  | string
  | Uint8Array
  | AsyncIterable<Uint8Array>
  | {
      /** A `ReadableStream`, named by the little that is used of it. */
      getReader(): {
        read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
        cancel(): Promise<void>
      }
    }

/** What the rules found in a request. */
export interface Inspection {
  /** A rule asked to stop the request; undefined when none did. Its `ruleId` is 0 for a body beyond the limit. */
  readonly interruption: Interruption | undefined
  /** In order, without `nolog` rules; a rule once, with its first match. */
  readonly matches: readonly RuleMatch[]
  /** Sum of the scores of the distinct rules that matched. */
  readonly requestScore: number
  /** The work budget was used up: rules after that were not evaluated. */
  readonly overBudget: boolean
  /** Bytes of the body that were read for the rules; 0 when none looks at it. */
  readonly bodyBytes: number
  /** False when the body is longer than what rules look at: the rest was not inspected. */
  readonly bodyComplete: boolean
}

/**
 * The work of a phase in slices of a millisecond or so: each `yield` is a good moment to let others run. Returns the
 * interruption that rules asked for (then the remaining phases but `logging` do nothing). To be run to its end.
 */
export type Steps = Generator<void, Interruption | undefined, void>

/**
 * One request on its way through phases 1 to 5. Call in order; a phase that is not called does not run.
 * `toEnd` runs a phase at once.
 */
export interface Transaction {
  /** Phase 1. */
  requestHeaders(): Steps
  /** Does any rule look at the body? When false, it may stream past: `addRequestBody` need not be called. Known after phase 1. */
  readonly wantsRequestBody: boolean
  /** Bytes inspected at most; more may be given and is not looked at. Known after phase 1. */
  readonly requestBodyBytesMax: number
  /** The next part of the body, read as it comes. The array may be reused after the call. */
  addRequestBody(part: Uint8Array): void
  /**
   * Phase 2; must be called once, also without a body.
   * @param complete false when the body is longer than the parts given
   */
  requestBody(complete: boolean): Steps
  /** Phase 3. */
  responseHeaders(
    status: number,
    protocol: string,
    headers: readonly (readonly [name: string, value: string])[],
  ): Steps
  /** Is the response's type one whose body rules inspect? Known after phase 3. */
  readonly wantsResponseBody: boolean
  /**
   * Phase 4.
   * @param body the body, or its first part
   * @param complete false when the body is longer than what is given
   */
  responseBody(body: Uint8Array, complete: boolean): Steps
  /** Phase 5; never interrupts. */
  logging(): Steps
  /** What matched so far, in order, without `nolog` rules; a rule once, with its first match. */
  readonly matches: readonly RuleMatch[]
  /** Sum of the scores of distinct matched `request` rules. */
  readonly requestScore: number
  /** The same of `response` rules. */
  readonly responseScore: number
  /** The work budget of the request is used up: what was left to evaluate was not. The caller decides what that means. */
  readonly overBudget: boolean
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
  /** `msg` and `logdata`, macros expanded. Byte strings. Captures in `data` are worked out when it is read. */
  readonly message: string
  readonly data: string
}
