import { isDeepStrictEqual } from 'node:util'
import type { Change, ChangeFeed } from '../bus/port.ts'
import { drainedAtMs, type OriginHealth, originKey, type PoolOrigin } from '../model/load-balancing.ts'
import type { AddressPolicy } from '../outgoing/index.ts'
import type { MonitoredPool } from '../store/port/load-balancing.ts'
import type { Store } from '../store/port.ts'
import { check } from './check.ts'
import { CheckQueue } from './check-queue.ts'
import { CheckedOrigin } from './checked-origin.ts'
import { healthLimits } from './limits.ts'

export type { CheckedOrigin }

/** An origin has become healthy or unhealthy. */
export interface OriginChange {
  readonly origin: CheckedOrigin
  readonly healthy: boolean
  /** Why it is unhealthy, in words. */
  readonly reason: string
}

export interface HealthDeps {
  readonly store: Pick<Store['loadBalancing'], 'monitored' | 'reportHealth'>
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  /** The addresses that origins may have. */
  readonly policy: AddressPolicy
  /** Id of this machine. */
  readonly machine: string
  readonly onChange: (change: OriginChange) => void
  readonly onCheck: (passed: boolean) => void
  /** Names all unhealthy origins (`originKey`), whenever one is added or removed. */
  readonly onDown: (keys: readonly string[]) => void
  readonly onError: (message: string, error: unknown) => void
  /** Length of a second of an interval; tests use a shorter one. */
  readonly secondMs?: number
}

export interface HealthChecks {
  /** Every origin that is checked. */
  origins(): readonly CheckedOrigin[]
  close(): Promise<void>
}

/** Checks the origins of all pools that have a monitor, until it is closed. */
export async function startHealthChecks(deps: HealthDeps): Promise<HealthChecks> {
  const checker = new Checker(deps)
  await checker.start()
  return checker
}

const rereadMs = 1000

/** Kinds of changes that concern pools, monitors, or the certificates of zones. */
const deciding: ReadonlySet<Change['kind']> = new Set(['load_balancing', 'zone', 'everything'])

class Checker implements HealthChecks {
  readonly #deps: HealthDeps
  readonly #secondMs: number
  readonly #origins = new Map<string, CheckedOrigin>()
  readonly #timers = new Map<CheckedOrigin, NodeJS.Timeout>()
  readonly #waiting = new CheckQueue(healthLimits.checksRunningMax)
  readonly #closing = new AbortController()
  #down = ''
  #work: Promise<unknown> = Promise.resolve()
  #reports: NodeJS.Timeout | undefined
  #unsubscribe: () => void = () => {}
  #hasReported = false
  /** A reading of the pools waits for its turn. */
  #rereads = false

  constructor(deps: HealthDeps) {
    this.#deps = deps
    this.#secondMs = deps.secondMs ?? 1000
  }

  async start(): Promise<void> {
    // Subscribed before the pools are read, so that no change is missed.
    this.#unsubscribe = this.#deps.changes.subscribe(({ kind }) => {
      if (deciding.has(kind)) this.#rereadSoon()
    })
    try {
      await this.#reread()
    } catch (error) {
      this.#deps.onError('the pools cannot be read; their checks begin later', error)
      this.#rereadSoon()
    }
    this.#reports = setInterval(() => this.#inTurn(() => this.#report()), healthLimits.reportMs)
    this.#reports.unref()
  }

  origins(): readonly CheckedOrigin[] {
    return [...this.#origins.values()]
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    this.#closing.abort()
    clearInterval(this.#reports)
    for (const origin of this.#origins.values()) this.#forget(origin)
    this.#origins.clear()
    await this.#inTurn(() => this.#report())
  }

  /** Runs a step after all earlier ones, so that an older state is not written after a newer one. */
  #inTurn(step: () => Promise<void>): Promise<unknown> {
    this.#work = this.#work.then(step)
    return this.#work
  }

  /** Changes that arrive before the next reading share it. */
  #rereadSoon(): void {
    if (this.#rereads) return
    this.#rereads = true
    void this.#inTurn(() => this.#rereadUntilDone())
  }

  async #rereadUntilDone(): Promise<void> {
    this.#rereads = false
    for (let failures = 0; !this.#closing.signal.aborted; failures++)
      try {
        await this.#reread()
        return
      } catch (error) {
        if (failures === 0) this.#deps.onError('the pools cannot be read; their last monitors stay', error)
        await new Promise(resolve => setTimeout(resolve, rereadMs).unref())
      }
  }

  /** Origins that are checked already keep their state. */
  async #reread(): Promise<void> {
    const found = new Set<string>()
    for (const pool of await this.#deps.store.monitored())
      for (const origin of pool.pool.origins) {
        const untilMs = checkedUntilMs(pool, origin)
        if (untilMs <= Date.now() || this.#closing.signal.aborted) continue
        const key = originKey(pool.pool.id, origin)
        found.add(key)
        this.#take(key, pool, origin).untilMs = untilMs
      }
    for (const [key, origin] of this.#origins) if (!found.has(key)) this.#drop(key, origin)
    this.#tellDown()
  }

  #take(key: string, { pool, monitor, tls }: MonitoredPool, named: PoolOrigin): CheckedOrigin {
    const target = { origin: named, monitor, ...(tls === undefined ? {} : { tls }) }
    const known = this.#origins.get(key)
    const isSame = known !== undefined && isDeepStrictEqual(known.target, target)
    const origin = known ?? new CheckedOrigin(pool, target)
    origin.pool = pool
    // A check that is running goes on by its target: an equal one must not replace it.
    if (isSame) return origin
    origin.target = target
    this.#origins.set(key, origin)
    this.#schedule(origin, Math.random() * this.#firstMs(origin))
    return origin
  }

  #drop(key: string, origin: CheckedOrigin): void {
    this.#origins.delete(key)
    this.#forget(origin)
  }

  #firstMs({ target: { monitor } }: CheckedOrigin): number {
    return Math.min(healthLimits.firstCheckMsMax, monitor.intervalSeconds * this.#secondMs)
  }

  #forget(origin: CheckedOrigin): void {
    clearTimeout(this.#timers.get(origin))
    this.#timers.delete(origin)
    this.#waiting.delete(origin)
  }

  #schedule(origin: CheckedOrigin, delayMs: number): void {
    clearTimeout(this.#timers.get(origin))
    const timer = setTimeout(() => {
      this.#timers.delete(origin)
      this.#waiting.add(origin)
      this.#runWaiting()
    }, delayMs)
    timer.unref()
    this.#timers.set(origin, timer)
  }

  /** Spread, so that origins with one interval are not checked in the same moment for ever. */
  #scheduleNext(origin: CheckedOrigin): void {
    const intervalMs = origin.target.monitor.intervalSeconds * this.#secondMs
    this.#schedule(origin, intervalMs * (0.9 + 0.2 * Math.random()))
  }

  #runWaiting(): void {
    for (let next = this.#waiting.next(); next !== undefined; next = this.#waiting.next()) {
      const { origin, ended } = next
      const failed = (error: unknown) => {
        this.#deps.onError('an origin cannot be checked', error)
        if (this.#isChecked(origin)) this.#scheduleNext(origin)
      }
      void this.#run(origin)
        .catch(failed)
        .finally(() => {
          ended()
          this.#runWaiting()
        })
    }
  }

  async #run(origin: CheckedOrigin): Promise<void> {
    const { policy, onCheck, onChange } = this.#deps
    const { target } = origin
    if (origin.untilMs <= Date.now()) {
      this.#drop(originKey(origin.pool.id, target.origin), origin)
      this.#tellDown()
      return
    }
    const beganMs = performance.now()
    const finding = await check(target, policy, this.#closing.signal)
    // Its pool or its monitor was changed meanwhile: it has a new check.
    if (origin.target !== target || !this.#isChecked(origin)) return
    onCheck(finding.healthy)
    const changed = origin.note(finding, performance.now() - beganMs)
    if (changed) {
      onChange({ origin, healthy: finding.healthy, reason: finding.reason })
      this.#tellDown()
      void this.#inTurn(() => this.#report())
    }
    this.#scheduleNext(origin)
  }

  /** Otherwise it was removed, even if the same origin has been added since. */
  #isChecked(origin: CheckedOrigin): boolean {
    return this.#origins.get(originKey(origin.pool.id, origin.target.origin)) === origin
  }

  #tellDown(): void {
    const keys = [...this.#origins].filter(([, { healthy }]) => healthy === false).map(([key]) => key)
    const text = keys.join('\n')
    if (text === this.#down) return
    this.#down = text
    this.#deps.onDown(keys)
  }

  async #report(): Promise<void> {
    const pools = new Map<string, OriginHealth[]>()
    for (const { pool, report } of this.#origins.values()) {
      if (report === undefined) continue
      const known = pools.get(pool.id)
      if (known === undefined) pools.set(pool.id, [report])
      else known.push(report)
    }
    if (pools.size === 0 && !this.#hasReported) return
    this.#hasReported = pools.size > 0
    try {
      await this.#deps.store.reportHealth(this.#deps.machine, pools, healthLimits.reportKeptMs)
    } catch (error) {
      this.#deps.onError('the health of origins cannot be written; retried with the next report', error)
    }
  }
}

/** A disabled origin is checked while load balancers may leave sessions there. */
function checkedUntilMs({ pool, drainSeconds = 0 }: MonitoredPool, origin: PoolOrigin): number {
  if (pool.enabled && origin.enabled) return Number.POSITIVE_INFINITY
  return drainedAtMs(pool, origin, drainSeconds) ?? 0
}
