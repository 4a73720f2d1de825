import type { RateLimit, RateState } from '../bus/port.ts'
import type { PlanRule, RateLimitRule } from '../rulesets/plan.ts'
import type { EdgeCore } from './core.ts'
import type { EdgeDeps } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { firstHeader, type HeaderLines } from './headers.ts'

/** A rule that counts a request after its rules have run. */
export interface PendingCount {
  readonly limit: RateLimitRule
  /** As it was when the rule was asked: what is rewritten later does not change whom it counts. */
  readonly key: string
}

/**
 * Is the action of a rate limiting rule to be taken now? Asked of every rule in the phase, whether its expression is
 * true or not: what a rule counts need not be what it acts on. Counts the request when `countedAt` is `request`, and
 * remembers rules that count later. When it says yes, `exchange.limitedUntilMs` says how long.
 */
export function checkRateLimit(
  core: EdgeCore,
  exchange: Exchange,
  rule: PlanRule,
  limit: RateLimitRule,
): boolean | Promise<boolean> {
  const { state } = exchange
  const matches = rule.matches(state)
  const late = limit.countedAt !== 'request'
  const counted = !late && (limit.counts === rule.matches ? matches : limit.counts(state))
  if (!matches && !counted && !late) return false
  const key = keyOf(rule, limit, exchange)
  if (late) {
    exchange.pendingCounts ??= []
    exchange.pendingCounts.push({ limit, key })
  }
  if (!matches && !counted) return false
  const counting = count(core, key, counted ? 1 : 0, limit)
  if (!(counting instanceof Promise)) return matches && isLimited(exchange, counting)
  return counting.then(limited => matches && isLimited(exchange, limited))
}

/** The request is sent on to the origin. Called at most once a request. */
export function countAtOrigin(core: EdgeCore, exchange: Exchange): void {
  for (const { limit, key } of exchange.pendingCounts ?? []) {
    if (limit.countedAt === 'origin' && limit.counts(exchange.state)) countLate(core, key, 1, limit)
  }
}

/**
 * The head of the answer is known; `exchange.state.response` has it. Called at most once a request. One that a rate
 * limit stopped is not counted: its answer is the limit's own.
 */
export function countAtResponse(core: EdgeCore, { pendingCounts, ledger, state }: Exchange): void {
  if (pendingCounts === undefined || ledger.terminal?.source === 'rateLimit') return
  const headers = state.response?.rawHeaders ?? []
  for (const { limit, key } of pendingCounts) {
    if (limit.countedAt !== 'response') continue
    const amount = limit.scoreHeader === undefined ? 1 : scoreIn(headers, limit.scoreHeader, core)
    if (amount > 0 && limit.counts(state)) countLate(core, key, amount, limit)
  }
}

/** Counters of different rules never meet: an id has always the same length. */
function keyOf({ id }: PlanRule, limit: RateLimitRule, { state }: Exchange): string {
  return `${id}${limit.keyOf(state)}`
}

function isLimited(exchange: Exchange, { limited, untilMs }: RateState): boolean {
  if (limited) exchange.limitedUntilMs = untilMs
  return limited
}

/**
 * The request itself has gone through: the one that makes the number full is the last that does, so the next is beyond
 * the limit. A score may be full; what goes beyond it is the last.
 */
function countLate(core: EdgeCore, key: string, amount: number, limit: RateLimitRule): void {
  const max = limit.scoreHeader === undefined ? limit.max - 1 : limit.max
  // Nobody waits for it, and what goes wrong is told below.
  void count(core, key, amount, { periodMs: limit.periodMs, max, mitigationMs: limit.mitigationMs })
}

/** Without counters nothing is limited: that they fail must not stop the zone. */
function count(
  { deps }: EdgeCore,
  key: string,
  amount: number,
  limit: RateLimit,
): RateState | Promise<RateState> {
  try {
    const counting = deps.rateCounters.count(key, amount, limit, deps.clock.nowMs())
    return counting instanceof Promise ? counting.catch(error => notCounted(deps, error)) : counting
  } catch (error) {
    return notCounted(deps, error)
  }
}

function notCounted({ logger }: EdgeDeps, error: unknown): RateState {
  logger.error({ err: error }, 'a rate limit could not be counted; the request is not limited')
  return { limited: false, untilMs: 0 }
}

/** A whole number in the header's first line; 0 when it is absent or something else. */
function scoreIn(headers: HeaderLines, name: string, { limits }: EdgeCore): number {
  const value = firstHeader(headers, name)?.trim()
  if (value === undefined || !/^\d+$/.test(value)) return 0
  return Math.min(Number(value), limits.rateScoreMax)
}
