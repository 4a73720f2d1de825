import type { Analytics, TimeRange, ZoneTraffic } from '../analytics/index.ts'
import type { JobReport } from '../logpush/index.ts'
import type { CertificateReport } from '../model/certificate.ts'
import type { NotificationPolicy, Occasion } from '../model/notification.ts'
import type { JsonObject, LogpushJob, Zone } from '../model/resource.ts'
import type { Store } from '../store/index.ts'

/** The sources of alerts. */
export interface AlertSources {
  readonly store: Store
  readonly analytics: Pick<Analytics, 'accountOverview' | 'timeseries' | 'zoneOverview'>
  /** @param sinceHour first hour of the counts */
  readonly reportJob: (job: LogpushJob, sinceHour: string) => Promise<JobReport>
  /** Certificates of the database, the same in every process, and those of this process's certificate files. */
  readonly certificates: () => Promise<readonly CertificateReport[]>
  /** The edge of this process, whose certificate files `certificates` has; undefined without one. */
  readonly edge: () => AlertingEdge | undefined
  /** Version of the newest CRS release; asked for at every look. @throws if upstream did not answer */
  readonly newestCrsRelease: () => Promise<string>
}

/** An edge that looks at its own certificate files. */
export interface AlertingEdge {
  /** Identifies the data directory. */
  readonly location: string
  /** Name of the machine. */
  readonly host: string
}

/** A state that a policy asks to be told of, at this moment. */
export interface Finding {
  /** Tells apart what a policy has several of at once, such as `job 7`. */
  readonly subject: string
  readonly text: string
  /** The note that it is over; null: none is sent. */
  readonly endText: string | null
  readonly data: JsonObject
  /** The state is weak: it keeps an occasion that has begun, and begins none. */
  readonly isFading?: boolean
}

/**
 * Why a state is not found any more. `recovered`: it is over, and receivers get a note. `gone`: the policy does not cover
 * the subject any more, or the subject does not exist. `unknown`: this process cannot see the subject, so the occasion lasts.
 */
export type Absence = 'recovered' | 'gone' | 'unknown'

/** The result of a condition at one look. */
export interface Sight {
  readonly findings: readonly Finding[]
  /** @param occasion one that has no finding */
  readonly absenceOf: (occasion: Occasion) => Absence
}

/** Finds the states of one kind of alert. @throws if it cannot be known now: then nothing begins or ends */
export type Condition = (policy: NotificationPolicy, look: Look) => Promise<Sight>

/** One look at the sources, which all policies share: each is asked once. */
export class Look {
  readonly sources: AlertSources
  readonly nowMs: number
  readonly #answers = new Map<string, Promise<unknown>>()

  constructor(sources: AlertSources, nowMs: number) {
    this.sources = sources
    this.nowMs = nowMs
  }

  once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = ask()
    this.#answers.set(key, answer)
    return answer
  }

  /** Whole minutes, without those whose records may not have been read yet. */
  rangeOf(minutes: number): TimeRange {
    const untilMs = (Math.floor(this.nowMs / minuteMs) - 1) * minuteMs
    return { sinceMs: untilMs - minutes * minuteMs, untilMs }
  }

  /** Whether an account is the first, which stands for the installation. */
  async isFirst(accountId: string): Promise<boolean> {
    const [first] = await this.once('accounts', () => this.sources.store.accounts.list())
    return first?.id === accountId
  }

  async zones(accountId: string): Promise<ReadonlyMap<string, Zone>> {
    const all = await this.once('zones', () => this.sources.store.zones.list())
    return new Map(all.filter(zone => zone.accountId === accountId).map(zone => [zone.id, zone]))
  }

  /** Traffic of the last hour by the busiest zones of an account. */
  async busiest(accountId: string): Promise<readonly ZoneTraffic[]> {
    const traffic = await this.once(`traffic of ${accountId}`, () =>
      this.sources.analytics.accountOverview(accountId, this.nowMs),
    )
    return traffic.toSorted((a, b) => b.hour.requests - a.hour.requests)
  }
}

const minuteMs = 60_000
