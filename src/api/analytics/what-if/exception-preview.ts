import type { Static } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type {
  Analytics,
  PreviewedSkip,
  PreviewOutcome,
  PreviewPage,
  PreviewQuery,
} from '../../../analytics/index.ts'
import { previewLimits } from '../../../analytics/limits.ts'
import { timestampOf } from '../../../kit/clock.ts'
import { newId } from '../../../kit/ids.ts'
import type { List, Rule, Ruleset, Zone } from '../../../model/resource.ts'
import { zoneSettingsOf } from '../../../model/zone-settings.ts'
import {
  addRule,
  jsonArgumentName,
  type ListLookup,
  listType,
  type ManagedRuleset,
} from '../../../rulesets/index.ts'
import { accountResource, authorize, mayUsePhase } from '../../access/permissions/check.ts'
import type { ApiDeps } from '../../deps.ts'
import { type Api, zoneOf } from '../../http/context.ts'
import { disconnectSignal } from '../../http/disconnect.ts'
import { success } from '../../http/envelope.ts'
import { accepted, refusal } from '../../http/errors.ts'
import { operationsOf } from '../../openapi/operation.ts'
import type { ManagedCatalog } from '../../rulesets/managed.ts'
import { previewRequestLimits } from '../limits.ts'
import { rangeOf } from '../query.ts'
import { previewSchema, previewToWire, type Replayed } from './exception-wire.ts'
import { previewBody } from './query.ts'

const described = operationsOf('Security analytics')(
  'previewException',
  'Replay recorded events against a draft exception; changes nothing',
  ['zoneLogs', 'read'],
  {
    alsoNeeds: 'Account Rule Lists Read or Zone WAF Write where the expression names a list',
    result: previewSchema,
    example: {
      expression: 'http.host eq "shop.example" and http.request.uri.path eq "/search"',
      action_parameters: { targets: [{ tag: 'attack-sqli', collection: 'ARGS', key: 'q' }] },
      since: '2026-01-02T00:00:00Z',
      until: '2026-01-03T00:00:00Z',
    },
  },
)

type Deps = Pick<ApiDeps, 'store' | 'clock' | 'analytics'>

const phase = 'http_request_firewall_managed'

/** Sluice's own: the recorded events that a draft exception would let pass. */
export function exceptionPreviewRoutes(app: Api, deps: Deps, managed: () => Promise<ManagedCatalog>): void {
  let running = 0
  const preview = { config: described, schema: { body: previewBody } }
  app.post('/security/exceptions/preview', preview, async (request, reply) => {
    const nowMs = deps.clock.nowMs()
    const range = rangeOf(request.body, nowMs)
    const zone = zoneOf(request)
    const query = { ...(await queryOf(deps, request, request.body, await managed(), nowMs)), range }
    if (running >= previewRequestLimits.runningMax) throw refusal('tooManyPreviews')
    running++
    try {
      const replayed = await replay(deps.analytics, zone.id, query, disconnectSignal(reply))
      return success(previewToWire(replayed, range))
    } finally {
      running--
    }
  })
}

/**
 * @throws ApiError 400 for an exception that the zone could not have as a rule, 403 for lists that the credentials
 *   may not read
 */
async function queryOf(
  { store }: Deps,
  request: FastifyRequest,
  { expression, action_parameters }: Static<typeof previewBody>,
  catalog: ManagedCatalog,
  nowMs: number,
): Promise<Omit<PreviewQuery, 'range'>> {
  const zone = zoneOf(request)
  const asked = new Map<string, List | undefined>()
  const context = {
    scope: { kind: 'zone', id: zone.id },
    now: timestampOf(nowMs),
    newId,
    managed: catalog.find,
    custom: () => undefined,
    lists: noting(await store.lists.list(zone.accountId), asked),
    hasRedirectList: () => false,
  } as const
  const rule = { action: 'skip', expression, action_parameters }
  const checked = addRule(emptyEntryPoint(zone.id, context.now), rule, context)
  // Before a refusal could reveal anything about a list, even that it does not exist.
  if (asked.size > 0) requireLists(request, zone)
  const written = accepted(checked).rules[0]!
  // Missing lists were refused.
  const contents = await Promise.all(
    [...asked].map(async ([key, list]) => {
      const { id, kind } = list!
      return [key, { kind, items: await store.lists.contents(id) }] as const
    }),
  )
  const rulesets = catalog.latest.filter(ruleset => ruleset.phase === phase)
  const { type, scope } = zoneSettingsOf(await store.zoneSettings.list(zone.id)).urlNormalization
  return {
    expression,
    ...(scope === 'none' ? {} : { normalization: type }),
    lists: Object.fromEntries(contents),
    skip: skipOf(written, rulesets),
    lastRules: rulesets.flatMap(({ rules }) => rules.at(-1)?.id ?? []),
  }
}

function emptyEntryPoint(zoneId: string, now: string): Ruleset {
  return {
    id: newId(),
    scope: { kind: 'zone', id: zoneId },
    name: 'default',
    description: '',
    kind: 'zone',
    phase,
    version: 1,
    lastUpdated: now,
    rules: [],
  }
}

/**
 * The events that an exception matches reveal the items of its lists. Credentials that may write the exception could
 * find the items by requests anyway; other credentials need permission to read lists.
 * @throws ApiError 403
 */
function requireLists(request: FastifyRequest, { accountId }: Zone): void {
  if (mayUsePhase(request, phase, 'write')) return
  authorize(request, { area: 'accountLists', level: 'read', resource: accountResource(accountId) })
}

/**
 * Looks up lists without reading their items, and notes each requested list by `type name`, missing lists included.
 */
function noting(lists: readonly List[], asked: Map<string, List | undefined>): ListLookup {
  return (name, type) => {
    const list = lists.find(one => one.name === name && listType(one.kind) === type)
    asked.set(`${type} ${name}`, list)
    return list === undefined ? undefined : () => false
  }
}

interface SkipParameters {
  readonly ruleset?: 'current'
  readonly rulesets?: readonly string[]
  readonly rules?: Readonly<Record<string, readonly string[]>>
  readonly targets?: readonly SkipTarget[]
}

interface SkipTarget {
  readonly rule?: string
  readonly tag?: string
  readonly ruleset?: string
  readonly collection: string
  readonly key?: string
  readonly key_pattern?: string
  readonly json_path?: string
}

function skipOf({ actionParameters }: Rule, managed: readonly ManagedRuleset[]): PreviewedSkip {
  const { ruleset, rulesets = [], rules = {}, targets = [] } = actionParameters as unknown as SkipParameters
  return {
    rulesets: ruleset === 'current' ? 'all' : rulesets,
    rules,
    targets: targets.flatMap(target => targetsOf(target, managed)),
  }
}

/** One target for each managed ruleset that it applies to. */
function targetsOf(target: SkipTarget, managed: readonly ManagedRuleset[]): PreviewedSkip['targets'] {
  const { rule, tag, collection, key, key_pattern: keyPattern, json_path: path } = target
  const name = path === undefined ? key : jsonArgumentName(path)
  return managed
    .filter(({ id }) => target.ruleset === undefined || target.ruleset === id)
    .map(({ id, rules }) => ({
      ruleset: id,
      rules:
        rule === undefined
          ? rules.filter(({ categories }) => categories?.includes(tag!)).map(one => one.id)
          : [rule],
      collection,
      ...(name === undefined ? {} : { key: name }),
      ...(keyPattern === undefined ? {} : { keyPattern }),
    }))
}

/**
 * Replays page by page, so that other queries run in between. It ends at a limit of events or time, or when the client
 * disconnects: the dashboard sends a new preview with each letter that is typed.
 */
async function replay(
  analytics: Analytics,
  zoneId: string,
  query: PreviewQuery,
  gone: AbortSignal,
): Promise<Replayed> {
  const untilMs = performance.now() + previewRequestLimits.totalMs
  let sum = await analytics.previewPage(zoneId, query)
  while (sum.next !== undefined && !gone.aborted) {
    if (sum.events >= previewRequestLimits.eventsMax || performance.now() > untilMs) break
    const page = await analytics.previewPage(zoneId, { ...query, before: sum.next })
    sum = added(sum, page)
  }
  return { ...sum, stoppedMs: sum.next?.timeMs }
}

function added(sum: PreviewPage, page: PreviewPage): PreviewPage {
  const shown = new Map<PreviewOutcome, number>()
  const examples = [...sum.examples, ...page.examples].filter(({ outcome }) => {
    const count = shown.get(outcome) ?? 0
    shown.set(outcome, count + 1)
    return count < previewLimits.examplesPerOutcome
  })
  return {
    events: sum.events + page.events,
    matched: sum.matched + page.matched,
    outcomes: addedCounts(sum.outcomes, page.outcomes) as PreviewPage['outcomes'],
    unknownFields: addedCounts(sum.unknownFields, page.unknownFields),
    examples,
    next: page.next,
  }
}

function addedCounts(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
