import type { Static } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type {
  Analytics,
  PreviewExample,
  PreviewedSkip,
  PreviewOutcome,
  PreviewPage,
  PreviewQuestion,
  TimeRange,
} from '../analytics/index.ts'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { previewLimits } from '../kit/limits.ts'
import type { List, Rule, Ruleset, Zone } from '../model/resource.ts'
import {
  addRule,
  jsonArgumentName,
  type ListLookup,
  listType,
  type ManagedRuleset,
} from '../rulesets/index.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { whenGone } from './gone.ts'
import type { ManagedCatalog } from './managed.ts'
import { accountPlace, authorize, mayUsePhase } from './permissions-check.ts'
import { rangeOf } from './security-query.ts'
import { previewBody } from './what-if-query.ts'

type Deps = Pick<ApiDeps, 'store' | 'clock' | 'analytics'>

const phase = 'http_request_firewall_managed'

/** Sluice's own: what an exception would have let through, before there is one. */
export function exceptionPreviewRoutes(app: Api, deps: Deps, managed: () => Promise<ManagedCatalog>): void {
  let running = 0
  app.post('/security/exceptions/preview', { schema: { body: previewBody } }, async (request, reply) => {
    const nowMs = deps.clock.nowMs()
    const range = rangeOf(request.body, nowMs)
    const zone = zoneOf(request)
    const question = { ...(await questionOf(deps, request, request.body, await managed(), nowMs)), range }
    if (running >= previewLimits.runningMax) throw refusal('tooManyPreviews')
    running++
    try {
      const replayed = await replay(deps.analytics, zone.id, question, whenGone(reply))
      return success(previewToWire(replayed, range))
    } finally {
      running--
    }
  })
}

/**
 * @throws ApiError 400 for an exception that could not be written as a rule of the zone, 403 when it names lists that the
 * credentials may not ask
 */
async function questionOf(
  { store }: Deps,
  request: FastifyRequest,
  { expression, action_parameters }: Static<typeof previewBody>,
  catalog: ManagedCatalog,
  nowMs: number,
): Promise<Omit<PreviewQuestion, 'range'>> {
  const zone = zoneOf(request)
  const asked = new Map<string, List | undefined>()
  const context = {
    scope: { kind: 'zone', id: zone.id },
    now: timestampOf(nowMs),
    newId,
    managed: catalog.find,
    custom: () => undefined,
    lists: noting(await store.lists.list(zone.accountId), asked),
  } as const
  const rule = { action: 'skip', expression, action_parameters }
  const checked = addRule(emptyEntryPoint(zone.id, context.now), rule, context)
  // Before anything is said of a list, and be it that there is none of the name.
  if (asked.size > 0) requireLists(request, zone)
  const written = accepted(checked).rules[0]!
  // A list that is not there was refused.
  const contents = await Promise.all(
    [...asked].map(async ([key, list]) => {
      const { id, kind } = list!
      return [key, { kind, items: await store.lists.contents(id) }] as const
    }),
  )
  const rulesets = catalog.latest.filter(ruleset => ruleset.phase === phase)
  return {
    expression,
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
 * Which events an exception matches tells what is in the lists that it names. Who may write it could find out in any
 * case, by requests; others have to be allowed to read lists.
 * @throws ApiError 403
 */
function requireLists(request: FastifyRequest, { accountId }: Zone): void {
  if (mayUsePhase(request, phase, 'write')) return
  authorize(request, { area: 'accountLists', level: 'read', place: accountPlace(accountId) })
}

/**
 * Nobody is asked whether something is in a list yet; which lists are asked for is noted, by `type name`, also those that
 * are not there.
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

/** One for each managed ruleset that is meant. */
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

interface Replayed extends Omit<PreviewPage, 'next'> {
  /** Where it stopped, when it did not come to the end. */
  readonly stoppedMs: number | undefined
}

/**
 * Page by page, so that other questions are answered in between; it ends after so many events or so much time, or when
 * nobody waits for it any more: pages ask anew with each letter that is typed.
 */
async function replay(
  analytics: Analytics,
  zoneId: string,
  question: PreviewQuestion,
  gone: AbortSignal,
): Promise<Replayed> {
  const untilMs = performance.now() + previewLimits.totalMs
  let sum = await analytics.previewPage(zoneId, question)
  while (sum.next !== undefined && !gone.aborted) {
    if (sum.events >= previewLimits.eventsMax || performance.now() > untilMs) break
    const page = await analytics.previewPage(zoneId, { ...question, before: sum.next })
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

/** What matters most first. */
const order: readonly PreviewOutcome[] = [
  'let_through',
  'possibly_let_through',
  'undecided',
  'still_held_up',
  'not_held_up',
  'unaffected',
]

function previewToWire(replayed: Replayed, { sinceMs, untilMs }: TimeRange): object {
  const { events, matched, outcomes, unknownFields, examples, stoppedMs } = replayed
  return {
    since: timestampOf(stoppedMs ?? sinceMs),
    until: timestampOf(untilMs),
    complete: stoppedMs === undefined,
    events,
    matched,
    ...outcomes,
    unknown_fields: Object.entries(unknownFields)
      .map(([name, count]) => ({ name, events: count }))
      .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1)),
    examples: order.flatMap(outcome =>
      examples.filter(example => example.outcome === outcome).map(exampleToWire),
    ),
  }
}

function exampleToWire(example: PreviewExample): object {
  return {
    outcome: example.outcome,
    datetime: timestampOf(example.timeMs),
    ray_id: example.ray,
    client_ip: example.client,
    client_country: example.country,
    host: example.host,
    method: example.method,
    path: example.path,
    action: example.action,
    rule_id: example.rule,
    score: example.score,
    remaining_score: example.remainingScore,
    threshold: example.threshold,
    rules: example.rules,
    unknown_fields: example.unknownFields,
  }
}
