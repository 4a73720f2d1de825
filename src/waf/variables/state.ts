import { parseCookies, parseUrlencoded } from '../bodies/index.ts'
import type { EngineMode, EngineSettings } from '../program/settings.ts'
import type { ProgramRule, WafRequest } from '../types.ts'
import { type BodyFacts, emptyBody } from './body-facts.ts'
import type { Collection } from './collection.ts'
import { type Entry, entriesOf } from './entry.ts'
import { headerValue, joinedHeaders } from './headers.ts'
import { MatchedVariables } from './matched.ts'
import type { PersistentRecord } from './persistent.ts'
import { parseTarget, type TargetUri } from './target-uri.ts'
import { TxVariables } from './tx-variables.ts'
import type { NamedVariable } from './value-name.ts'

export type HeaderLines = readonly (readonly [name: string, value: string])[]

interface ResponseFacts {
  readonly status: string
  readonly protocol: string
  readonly headers: HeaderLines
  /** Undefined when it is not inspected. */
  readonly body: string | undefined
  /** Longer than what is inspected. */
  readonly cut: boolean
}

/** Everything that the variables of one transaction are made of. Actions change it; rules read it by `valuesOf`. */
export class TransactionState {
  readonly request: WafRequest
  readonly settings: EngineSettings
  /** The time, ms since the epoch. */
  readonly nowMs: () => number
  readonly target: TargetUri
  readonly tx = new TxVariables()
  readonly matched = new MatchedVariables()
  #persistent: Map<string, PersistentRecord> | undefined
  engine: EngineMode
  /** REQBODY_PROCESSOR: `URLENCODED`, `MULTIPART`, `XML`, `JSON` or empty. */
  processor = ''
  requestBodyAccess: boolean
  responseBodyAccess: boolean
  /** Fill REQUEST_BODY although no processor is set. */
  forceBodyVariable = false
  /** The rule that is being evaluated, for `%{RULE.msg}`. */
  rule: ProgramRule | undefined
  /** The lowest number (most severe) of the rules matched so far; 255 before any. */
  highestSeverity = 255
  #parsedQuery: ParsedQuery | undefined
  #requestHeaders: readonly Entry[] | undefined
  #cookies: readonly Entry[] | undefined
  #body: BodyFacts = emptyBody
  #response: ResponseFacts | undefined
  /** What variables hold, by slot, until their source changes. */
  readonly #kept: Record<Exclude<Freshness, 'always'>, (Collection | undefined)[]> = {
    request: new Array(32).fill(undefined),
    body: new Array(32).fill(undefined),
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
    this.target = parseTarget(request.target)
  }

  /** Opened by `initcol`, by collection name. */
  get persistent(): Map<string, PersistentRecord> {
    this.#persistent ??= new Map()
    return this.#persistent
  }

  /** Arguments of the query: the same objects in every phase. */
  get queryArguments(): readonly Entry[] {
    return this.#query().entries
  }

  /** What is wrong with the query. */
  get queryError(): string | undefined {
    return this.#query().error
  }

  /** One value a name. */
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
      const { args, error } = parseUrlencoded(this.target.query, {
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

  /** @param cut longer than what is inspected */
  setResponseBody(body: string, cut: boolean): void {
    if (this.#response !== undefined) this.#response = { ...this.#response, body, cut }
    this.#kept['response-body'] = []
  }

  /** What `variable` holds now. Computed at most once until its source changes. */
  valuesOf(variable: Variable): Collection {
    const { freshness, slot } = variable
    if (freshness === 'always') return variable.read(this)
    const kept = this.#kept[freshness]
    let collection = kept[slot]
    if (collection === undefined) collection = kept[slot] = variable.read(this)
    return collection
  }
}

interface ParsedQuery {
  readonly entries: readonly Entry[]
  readonly error: string | undefined
}

/** When the values of a variable may change; `always` is not kept between two reads. */
export type Freshness = 'request' | 'body' | 'response' | 'response-body' | 'always'

/** A variable that rules and macros can name; all of them are in `table.ts`. */
export interface Variable extends NamedVariable {
  /** Its number among the variables of the same freshness, the place in a transaction's cache. */
  readonly slot: number
  readonly freshness: Freshness
  /** Which body must be read before it holds everything. */
  readonly needs: 'request-body' | 'response-body' | undefined
  readonly read: (state: TransactionState) => Collection
  /** The value of a variable that has one at most; undefined for collections. */
  readonly text: ((state: TransactionState) => string | undefined) | undefined
}
