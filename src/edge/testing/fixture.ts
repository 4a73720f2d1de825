import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { LocalRateCounters, newRateMemory } from '../../bus/index.ts'
import { CidrSet, parseCidr } from '../../kit/cidr.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { Phase, Redaction } from '../../model/resource.ts'
import { type WhatIfSample, whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import type { ZoneFirewall } from '../../model/zone-firewall.ts'
import { defaultZoneSettings, type ZoneSettings } from '../../model/zone-settings.ts'
import { planLockdowns } from '../../rulesets/firewall/lockdown.ts'
import { planUserAgents } from '../../rulesets/firewall/user-agents.ts'
import type {
  ConfigureEffect,
  LogFields,
  PlanPhase,
  PlanRule,
  PlanRuleset,
  ZonePlan,
} from '../../rulesets/plan/plan.ts'
import { redactionOf } from '../../rulesets/plan/redaction.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { createEdge, type Edge } from '../edge.ts'
import type { EdgeDeps } from '../exchange/deps.ts'

export const zoneId = '0123456789abcdef0123456789abcdef'

/** Parts of a plan; its rules belong to the zone. */
export interface PlanParts {
  readonly custom?: readonly PlanRule[]
  readonly managed?: readonly PlanRule[]
  readonly customErrors?: readonly PlanRule[]
  readonly responseHeaders?: readonly PlanRule[]
  readonly compression?: readonly PlanRule[]
  readonly response?: readonly PlanRule[]
  /** Instead of `custom` and `managed`. */
  readonly request?: readonly PlanPhase[]
  readonly accessRules?: ZonePlan['accessRules']
  readonly firewall?: Partial<ZoneFirewall>
  readonly logFields?: Partial<LogFields>
  readonly shadow?: ZonePlan['shadow']
  readonly redaction?: Redaction
  readonly sampleRate?: number
  readonly settings?: Partial<ZoneSettings>
  /** Instead of the origin for every host. */
  readonly origins?: ZonePlan['origins']
  readonly originTls?: ZonePlan['originTls']
  readonly customPages?: ZonePlan['customPages']
}

/**
 * A plan for `site.test` in front of an origin; no rules unless given.
 * @param originUrl undefined for a zone without an origin
 */
export function planFor(originUrl: string | undefined, parts: PlanParts = {}): ZonePlan {
  const phaseOf = (name: Phase, rules: readonly PlanRule[] = []) =>
    rules.length === 0 ? [] : [planPhase(name, { zone: rules })]
  const group = { servers: originUrl === undefined ? [] : [{ url: originUrl, weight: 1 }] }
  return {
    zone: {
      id: zoneId,
      accountId: zoneId,
      name: 'site.test',
      originUrl,
      paused: false,
      type: 'full',
      createdOn: '2026-01-01T00:00:00.000000Z',
      modifiedOn: '2026-01-01T00:00:00.000000Z',
    },
    settings: { ...defaultZoneSettings, ...parts.settings },
    accessRules: parts.accessRules,
    lockdowns: planLockdowns(parts.firewall?.lockdowns ?? []),
    userAgents: planUserAgents(parts.firewall?.userAgentRules ?? []),
    request: parts.request ?? [
      ...phaseOf('http_request_firewall_custom', parts.custom),
      ...phaseOf('http_request_firewall_managed', parts.managed),
    ],
    customErrors: phaseOf('http_custom_errors', parts.customErrors)[0],
    responseHeaders: phaseOf('http_response_headers_transform', parts.responseHeaders)[0],
    compression: phaseOf('http_response_compression', parts.compression)[0],
    response: phaseOf('http_response_firewall_managed', parts.response)[0],
    logFields: {
      request: [],
      transformedRequest: [],
      response: [],
      rawResponse: [],
      cookies: [],
      ...parts.logFields,
    },
    redaction: redactionOf(parts.redaction),
    shadow: parts.shadow,
    sampleRate: parts.sampleRate ?? 0,
    origins: parts.origins ?? { of: () => group },
    originTls: parts.originTls,
    customPages: parts.customPages ?? new Map(),
  }
}

export function planPhase(
  phase: Phase,
  rules: { readonly account?: readonly PlanRule[]; readonly zone?: readonly PlanRule[] },
  readsBody = false,
): PlanPhase {
  const { account = [], zone = [] } = rules
  const rulesets: PlanRuleset[] = []
  if (account.length > 0) rulesets.push({ id: 'account-1', version: '1', kind: 'root', rules: account })
  if (zone.length > 0) rulesets.push({ id: 'ruleset-1', version: '1', kind: 'zone', rules: zone })
  return { phase, readsBody, rulesets }
}

export function rule(
  effect: PlanRule['effect'],
  matches: PlanRule['matches'] = () => true,
  id = 'rule-1',
): PlanRule {
  return {
    id,
    ref: `ref of ${id}`,
    rulesetId: 'ruleset-1',
    rulesetVersion: '1',
    description: `description of ${id}`,
    matches,
    effect,
  }
}

/** The effect of a rule of `http_config_settings`. */
export function configuration(parts: Partial<ConfigureEffect>): ConfigureEffect {
  return {
    kind: 'configure',
    underAttack: undefined,
    verifiesOrigin: undefined,
    browserCheck: undefined,
    hotlinkProtection: undefined,
    ...parts,
  }
}

export interface RunningEdge {
  readonly edge: Edge
  readonly port: number
  readonly url: string
  /**
   * Fields of the `http_requests` and of the `firewall_events` records written so far. Fields that are left out of a record
   * have the empty value of their type, as for every reader.
   */
  readonly records: { readonly [field: string]: unknown }[]
  readonly events: { readonly [field: string]: unknown }[]
  readonly audit: { readonly [key: string]: unknown }[]
  /** Written so far. */
  readonly samples: WhatIfSample[]
}

const emptyFields: { readonly [field: string]: unknown } = Object.fromEntries(
  httpRequests.fields
    .filter(({ type, from }) => from !== 'none' && type !== 'object')
    .map(({ name, type }) => [name, type.startsWith('array') ? [] : type === 'int' ? 0 : '']),
)

/** Explains nothing, because fake programs have no real rules. */
export function* noExplanation(): ReturnType<EdgeDeps['explain']> {
  yield
  return {
    interruption: undefined,
    requestScore: 0,
    responseScore: 0,
    overBudget: false,
    matches: [],
    asked: undefined,
  }
}

/**
 * Starts an edge that ends with the test. Requests for hosts below `test` get the plan.
 * @param handedOver of its record writer
 */
export async function startEdge(
  t: TestContext,
  plan: ZonePlan,
  deps: Partial<EdgeDeps> = {},
  handedOver: () => Promise<void> = () => Promise.resolve(),
): Promise<RunningEdge> {
  const records: { readonly [field: string]: unknown }[] = []
  const events: { readonly [field: string]: unknown }[] = []
  const audit: { readonly [key: string]: unknown }[] = []
  const samples: WhatIfSample[] = []
  const edge = createEdge({
    plans: { find: host => (host.endsWith('.test') || host === '127.0.0.1' ? plan : undefined) },
    records: {
      append: record => {
        const { dataset, fields } = JSON.parse(record)
        if (dataset === whatIfSamplesDataset) samples.push(fields)
        else if (dataset === httpRequests.name) records.push({ ...emptyFields, ...fields })
        else events.push(fields)
      },
      full: undefined,
      handedOver,
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    auditLog: { mode: 'all', format: 'json', write: line => void audit.push(JSON.parse(line)) },
    clock: { nowMs: () => Date.now() },
    clearanceKey: 'key of the test',
    trustedProxies: new CidrSet([]),
    geo: () => nowhere,
    rateCounters: new LocalRateCounters(newRateMemory()),
    onIncomplete: 'block',
    explain: noExplanation,
    logger: { warn: () => {}, error: (fields, message) => console.error(message, fields) },
    ...deps,
  })
  const port = await edge.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => edge.close())
  return { edge, port, url: `http://127.0.0.1:${port}`, records, events, audit, samples }
}

/** Starts an origin that ends with the test. @returns its URL */
export async function startOrigin(
  t: TestContext,
  listener: RequestListener,
): Promise<{ url: string; server: Server }> {
  // A busy machine can take longer than Node's five seconds between two requests of a test.
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

export function trusted(...blocks: readonly string[]): CidrSet {
  return new CidrSet(blocks.map(block => parseCidr(block)!))
}

/** A raw connection that keeps its received text. */
export class RawClient {
  readonly socket: Socket
  received = ''
  closed = false

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => {
      this.received += text
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.closed = true
    })
  }

  send(text: string): this {
    this.socket.write(text, 'latin1')
    return this
  }

  /** Resolves with the received text once it contains `part`. */
  async until(part: string): Promise<string> {
    await eventually(
      () => this.received.includes(part),
      () => `no ${part} in: ${this.received}`,
    )
    return this.received
  }

  async end(): Promise<string> {
    await eventually(
      () => this.closed,
      () => `still open: ${this.received}`,
    )
    return this.received
  }
}

/** Waits until `holds` is true; fails after `withinMs`. */
export async function eventually(
  holds: () => boolean,
  what: () => string = () => 'it never held',
  withinMs = 5000,
): Promise<void> {
  for (let waitedMs = 0; !holds(); waitedMs += 5) {
    if (waitedMs > withinMs) throw new Error(what())
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
