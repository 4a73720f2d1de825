import { parseCookies, parseUrlencoded } from '../bodies/index.ts'
import type { EngineMode, EngineSettings } from '../program/settings.ts'
import type { ProgramRule, WafRequest } from '../types.ts'
import { type BodyFacts, emptyBody } from './body-facts.ts'
import type { Collection } from './collection.ts'
import { type Entry, entriesOf } from './entry.ts'
import { headerValue, joinedHeaders } from './headers.ts'
import { MatchedVariables } from './matched.ts'
import type { PersistentRecord } from './persistent.ts'
import { parseTarget, type TargetPath, type TargetUri } from './target-uri.ts'
import { TxVariables } from './tx-variables.ts'
import type { NamedVariable } from './value-name.ts'

export type HeaderLines = readonly (readonly [name: string, value: string])[]

interface ResponseFacts {
  readonly status: string
  readonly protocol: string
  readonly headers: HeaderLines
  /** Undefined if it is not inspected. */
  readonly body: string | undefined
  /** Whether it is longer than the inspected part. */
  readonly cut: boolean
}

/** The state behind the variables of one transaction. Actions change it; rules read it by `valuesOf`. */
export class TransactionState {
  readonly request: WafRequest
  readonly settings: EngineSettings
  /** The time, ms since the epoch. */
  readonly nowMs: () => number
  readonly #target: TargetUri
  /** For the rules of this phase. */
  #path: TargetPath
  readonly tx = new TxVariables()
  readonly matched = new MatchedVariables()
  #persistent: Map<string, PersistentRecord> | undefined
  engine: EngineMode
  /** REQBODY_PROCESSOR: `URLENCODED`, `MULTIPART`, `XML`, `JSON` or empty. */
  processor = ''
  requestBodyAccess: boolean
  responseBodyAccess: boolean
  /** Status of the response with which a rule stopped the request. */
  refusedWith: string | undefined
  /** Whether to fill REQUEST_BODY although no processor is set. */
  forceBodyVariable = false
  /** The current rule, for `%{RULE.msg}`. */
  rule: ProgramRule | undefined
  /** The lowest number (most severe) of the rules matched so far; 255 before any. */
  highestSeverity = 255
  #parsedQuery: ParsedQuery | undefined
  #requestHeaders: readonly Entry[] | undefined
  #cookies: readonly Entry[] | undefined
  #body: BodyFacts = emptyBody
  #response: ResponseFacts | undefined
  /** Values of variables, by slot, until their source changes. */
  readonly #kept: Record<Exclude<Freshness, 'always'>, (Collection | undefined)[]> = {
    request: nothingKept.slice(),
    body: nothingKept.slice(),
    response: [],
    'response-body': [],
  }

  constructor(request: WafRequest, settings: EngineSettings, nowMs: () => number) {
    this.request = request
    this.settings = settings
    this.nowMs = nowMs
    this.engine = settings.engine
    this.requestBodyAccess = settings.requestBodyAccess
    this.responseBodyAccess = settings.responseBodyAccess
    this.#target = parseTarget(request.target)
    this.#path = this.#target.sent
  }

  /** Opened by `initcol`, by collection name. */
  get persistent(): Map<string, PersistentRecord> {
    this.#persistent ??= new Map()
    return this.#persistent
  }

  /** The path as sent in phase 1, decoded and normalised from phase 2 on. */
  get path(): TargetPath {
    return this.#path
  }

  /** QUERY_STRING */
  get query(): string {
    return this.#target.query
  }

  /** Whether phase 1 is over. */
  leavePhase1(): void {
    const { normalised } = this.#target
    if (this.#path === normalised) return
    this.#path = normalised
    this.#kept.body = []
  }

  /** Arguments of the query: the same objects in every phase. */
  get queryArguments(): readonly Entry[] {
    return this.#query().entries
  }

  /** The error of the query. */
  get queryError(): string | undefined {
    return this.#query().error
  }

  /** One value per name. */
  get requestHeaders(): readonly Entry[] {
    this.#requestHeaders ??= joinedHeaders(this.request.headers)
    return this.#requestHeaders
  }

  get cookies(): readonly Entry[] {
    this.#cookies ??= entriesOf(parseCookies(headerValue(this.request.headers, 'cookie', '; ')))
    return this.#cookies
  }

  #query(): ParsedQuery {
    if (this.#parsedQuery === undefined) {
      const { args, error } = parseUrlencoded(this.query, {
        argumentsMax: this.settings.argumentsLimit,
      })
      this.#parsedQuery = { entries: entriesOf(args), error }
    }
    return this.#parsedQuery
  }

  get body(): BodyFacts {
    return this.#body
  }

  set body(facts: BodyFacts) {
    if (facts === this.#body) return
    this.#body = facts
    this.#kept.body = []
  }

  get response(): ResponseFacts | undefined {
    return this.#response
  }

  set response(facts: ResponseFacts | undefined) {
    this.#response = facts
    this.#kept.response = []
  }

  /** @param cut whether it is longer than the inspected part */
  setResponseBody(body: string, cut: boolean): void {
    if (this.#response !== undefined) this.#response = { ...this.#response, body, cut }
    this.#kept['response-body'] = []
  }

  /** Current values of `variable`. Computed at most once until its source changes. */
  valuesOf(variable: Variable): Collection {
    const { freshness, slot } = variable
    if (freshness === 'always') return variable.read(this)
    const kept = freshness === 'request' ? this.#kept.request : this.#kept[freshness]
    let collection = kept[slot]
    if (collection === undefined) collection = kept[slot] = variable.read(this)
    return collection
  }
}

/** Long enough for every variable: the array need not grow. */
const nothingKept: undefined[] = new Array(48).fill(undefined)

interface ParsedQuery {
  readonly entries: readonly Entry[]
  readonly error: string | undefined
}

/** When the values of a variable may change; `always` is never cached. */
export type Freshness = 'request' | 'body' | 'response' | 'response-body' | 'always'

/** A variable that rules and macros can name; all of them are in `table.ts`. */
export interface Variable extends NamedVariable {
  /** Its number among the variables of the same freshness, and its index in a transaction's cache. */
  readonly slot: number
  readonly freshness: Freshness
  /** The body that must be read before the variable is complete. */
  readonly needs: 'request-body' | 'response-body' | undefined
  readonly read: (state: TransactionState) => Collection
  /** The values in a request without a body, if they depend on nothing else. */
  readonly withoutBody: readonly string[] | undefined
  /** The value of a variable that has at most one; undefined for collections. */
  readonly text: ((state: TransactionState) => string | undefined) | undefined
}
