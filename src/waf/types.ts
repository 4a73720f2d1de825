import type { Clock } from '../kit/clock.ts'
import type { SourceFile } from '../seclang/ast.ts'

/** Inputs of `compile`; the module itself does no I/O. */
export interface CompileOptions {
  /** Text of a file that `@pmFromFile` names, relative to the rule file; undefined if there is none. */
  readonly readData: (name: string, fromSource: string) => string | undefined
  /**
   * The files of `Include` and `IncludeOptional`, in load order (see `ParseOptions`); without it an `Include` is
   * refused.
   */
  readonly include?: (path: string, fromSource: string) => readonly SourceFile[] | undefined
  /**
   * Rules whose disruptive action is ignored, by id ranges (both ends included): the blocking evaluation of the CRS,
   * which the managed ruleset's last rule replaces.
   */
  readonly passive?: readonly (readonly [number, number])[]
  /** For DURATION and the lifetime of persistent variables; without one, time stands still during an inspection. */
  readonly clock?: Clock
  /** Memory for results of values of earlier requests, in bytes; 0 disables it. Default 8 MiB. */
  readonly memoBytesMax?: number
  /** Bytes of work that one request may cost; see `Transaction.overBudget`. Default 512 MiB. */
  readonly workMax?: number
}

export type { SourceFile }

/** A compiled set of rules: immutable, shared by every zone and request. */
export interface Program {
  /** Every rule with an id, in load order. A rule's `index` is its index here. */
  readonly rules: readonly ProgramRule[]
  /** A mask that disables the rules for which `off` returns true. Only detection rules can be off. */
  mask(off: (rule: ProgramRule) => boolean): RuleMask
  /**
   * An exception for requests. Create it once and use it for many; O(rules).
   * @throws TypeError for an unknown collection or an invalid pattern
   */
  exception(spec: ExceptionSpec): Exception
  /**
   * Starts one request. Cheap; nothing is evaluated yet.
   * @param exceptions of this program: rules that are not run, and targets that rules do not test
   */
  begin(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction
  /** The same for a request that does not count: its writes to persistent collections are forgotten. */
  rehearse(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction
  /** A rehearsal that reports each rule to `observer`. Slow: every rule runs on every value. */
  observe(
    request: WafRequest,
    mask: RuleMask,
    observer: Observer,
    exceptions?: readonly Exception[],
  ): Transaction
  /**
   * Inspects a request up to the application: phases 1, 2 and 5, in slices of a millisecond or so with pauses in
   * between. Of a body it reads only the part that rules need; see `InspectedBody` for the rest.
   * @param mask of this program; without one, all rules are on
   * @throws (rejects) errors of the body's source; TypeError for a part of a body that is not of bytes
   */
  inspect(request: InspectedRequest, mask?: RuleMask): Promise<Inspection>
}

/** Receives the events of one request, rule by rule. Rules outside `mask` have none. */
export interface Observer {
  /** A link of a rule (0: the rule itself) has tested a value. A link of SecAction tests none: its `target` is ''. */
  tested(test: ObservedTest): void
  /** The values of a link do not exist, or all are excluded. */
  nothingToTest(rule: ProgramRule, link: number): void
  /** A value is excluded from the rule's targets: by a `ctl` of an earlier rule, or by the rule itself. */
  excluded(rule: ProgramRule, link: number, target: string, by: ProgramRule): void
  /** The rule has ended. */
  ran(rule: ProgramRule, matched: boolean): void
  /** The rule does not run: a `ctl` has removed it, or an earlier rule has jumped over it. */
  skipped(rule: ProgramRule, why: 'removed' | 'jumped-over', by: ProgramRule | undefined): void
  /** The ended rule has ended the phase, and perhaps later ones. */
  ended(by: ProgramRule, how: 'interrupted' | 'allowed' | 'switched-off'): void
}

export interface ObservedTest {
  readonly rule: ProgramRule
  readonly link: number
  /** `ARGS:q` */
  readonly target: string
  /** The value as received, and after the link's transformations. Byte strings. */
  readonly original: string
  readonly value: string
  readonly matched: boolean
  /** Captures of the operator in the value; empty for most operators. Call it at once. */
  readonly found: () => readonly (string | undefined)[]
  /** A text of the rule with its macros expanded. Call it at once. */
  readonly expanded: (text: string) => string
}

export interface ExceptionSpec {
  /** Detection rules that do not run at all. */
  readonly off: (rule: ProgramRule) => boolean
  readonly targets: readonly ExceptedTarget[]
}

/** Values that some detection rules do not test, as after `ctl:ruleRemoveTargetById`. */
export interface ExceptedTarget {
  readonly rules: (rule: ProgramRule) => boolean
  /** `ARGS`, `REQUEST_COOKIES`, …; upper case. */
  readonly collection: string
  /** Key of the value in the collection; absent: the whole collection. Case-insensitive. */
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
  /** The number given by the rule's authors: 942100. */
  readonly id: number
  readonly phase: 1 | 2 | 3 | 4 | 5
  /**
   * `request` and `response` rules detect something; a managed ruleset shows them. `support` rules are the machinery
   * (initialisation, paranoia guards, counters, blocking evaluation).
   */
  readonly role: 'request' | 'response' | 'support'
  /** As written, macros unexpanded. */
  readonly message: string
  readonly tags: readonly string[]
  /** 1–4 from `paranoia-level/N`, else from the score that the rule raises; 0 without either. */
  readonly paranoiaLevel: number
  readonly severity?: 'CRITICAL' | 'ERROR' | 'WARNING' | 'NOTICE' | 'EMERGENCY' | 'ALERT' | 'INFO' | 'DEBUG'
  /** `rev`. */
  readonly revision?: string
  /** As written, macros unexpanded. */
  readonly logdata?: string
  /** Points of a match for the request's score: critical 5, error 4, warning 3, notice 2, else 0. */
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
  /** As sent and in that order, with repeated lines separate. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly uniqueId: string
  readonly startedMs: number
  /** Zone of the persistent collections (`IP`, `GLOBAL`, …); requests without a zone share theirs. */
  readonly zone?: string | undefined
}

/** A request in a web server's terms, for `Program.inspect`. Strings are byte strings, as Node and Fetch give them. */
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
  /** UNIQUE_ID; generated if absent. */
  readonly uniqueId?: string | undefined
  /** Milliseconds since the Unix epoch. Default: now. */
  readonly startedMs?: number | undefined
  /** Zone of the persistent collections (`IP`, `GLOBAL`, …). */
  readonly zone?: string | undefined
}

/**
 * A whole body (a text is encoded as UTF-8), or its parts as they arrive. Parts are read until the rules have seen
 * enough; then the source is told (`return` of an iterator, `cancel` of a stream). An application that needs the body
 * as well gives a source that keeps it: one branch of `tee()`, or an iterator that puts its parts back.
 */
export type InspectedBody =
  | string
  | Uint8Array
  | AsyncIterable<Uint8Array>
  | {
      /** A `ReadableStream`, reduced to the members in use. */
      getReader(): {
        read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
        cancel(): Promise<void>
      }
    }

/** The findings of the rules in a request. */
export interface Inspection {
  /**
   * Present if a rule asked to stop the request. Its `ruleId` is 0 for a body beyond the limit (413) or in a charset
   * that rules cannot read (415).
   */
  readonly interruption: Interruption | undefined
  /** In order, without `nolog` rules; each rule once, with its first match. */
  readonly matches: readonly RuleMatch[]
  /** Sum of the scores of the distinct rules that matched. */
  readonly requestScore: number
  /** A limit has left a result open: see `Transaction.overBudget`. */
  readonly overBudget: boolean
  /** Bytes of the body that were read for the rules; 0 if no rule needs it. */
  readonly bodyBytes: number
  /** False if the body exceeds the inspected length: the rest was not inspected. */
  readonly bodyComplete: boolean
  /** `Transaction.workOutData`, in turns with other work of the process. */
  workOutData(): Promise<void>
}

/**
 * The work of a phase in slices of a millisecond or so: others may run at each `yield`. Returns the interruption that
 * rules asked for (then only `logging` remains). Must run to its end.
 */
export type Steps = Generator<void, Interruption | undefined, void>

/**
 * One request on its way through phases 1 to 5. Call in order; a phase that is not called does not run.
 * `toEnd` runs a phase at once.
 */
export interface Transaction {
  /** Phase 1. */
  requestHeaders(): Steps
  /** Whether any rule needs the body. If false, it may stream past without `addRequestBody`. Known after phase 1. */
  readonly wantsRequestBody: boolean
  /** Maximum of inspected bytes; further bytes are ignored. Known after phase 1. */
  readonly requestBodyBytesMax: number
  /** Adds the next part of the body and reads it. The array may be reused after the call. */
  addRequestBody(part: Uint8Array): void
  /**
   * Phase 2; must be called once, also without a body.
   * @param complete false if the body is longer than the given parts
   */
  requestBody(complete: boolean): Steps
  /**
   * The body has more bytes than the rules have seen: they were not given, or its fields have too many. Known in phase
   * 2.
   */
  readonly requestBodyCut: boolean
  /** Phase 3. */
  responseHeaders(
    status: number,
    protocol: string,
    headers: readonly (readonly [name: string, value: string])[],
  ): Steps
  /** Whether rules inspect bodies of the response's type. Known after phase 3. */
  readonly wantsResponseBody: boolean
  /**
   * Phase 4.
   * @param body the body, or its first part
   * @param complete false if the body is longer than the given part
   */
  responseBody(body: Uint8Array, complete: boolean): Steps
  /** Phase 5; never interrupts. */
  logging(): Steps
  /** Matches so far, in order, without `nolog` rules; each rule once, with its first match. */
  readonly matches: readonly RuleMatch[]
  /**
   * Prepares `data` of the matches, in slices. Otherwise reading it can take some tens of milliseconds for a match in a
   * value of a megabyte. Captures beyond the work budget stay empty.
   */
  workOutData(): Generator<void, void, void>
  /** Sum of the scores of distinct matched `request` rules. */
  readonly requestScore: number
  /** The same of `response` rules. */
  readonly responseScore: number
  /**
   * A limit has left a result open: the request's work budget is used up and later rules were not evaluated, or a
   * pattern has reached its limit (TX:MSC_PCRE_LIMITS_EXCEEDED). The caller decides about the request.
   */
  readonly overBudget: boolean
  /** Share of the work budget that is used so far; above 1 when it is used up. */
  readonly workShare: number
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
  /** `ARGS:q`, with the collection's name as in the rule. Byte string. */
  readonly target: string
  /** The matching value, after transformations. Byte string. */
  readonly value: string
  /**
   * `msg` and `logdata`, macros expanded. Byte strings. Captures in `data` are computed when it is read; see
   * `workOutData`.
   */
  readonly message: string
  readonly data: string
}
