import { zoneToWire } from '../../api/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { Zone } from '../../model/resource.ts'
import type { Revised, Store } from '../../store/index.ts'
import { canSharePorts } from '../edge/shared-port.ts'
import type { SystemAudit } from '../system-audit.ts'
import { type SampleSite, startSampleSite } from './sample-site/index.ts'

/** Its URL; while zones move to it, also their former URLs, separated by blanks. */
const remembered = 'sample-site-url'

/**
 * Runs the sample site while a zone points to it. Its port is stored, so that the zone's origin stays valid over
 * restarts. If another program has taken the port, the site uses another one, and its zones are updated.
 */
export class SampleOrigin {
  readonly #store: Store
  readonly #audit: SystemAudit
  readonly #report: (line: string) => void
  readonly #isShared: boolean
  #site: SampleSite | undefined

  /** @param isShared the process that this one replaces may still have the port: both have it for a while */
  constructor(store: Store, audit: SystemAudit, report: (line: string) => void, isShared: boolean) {
    this.#store = store
    this.#audit = audit
    this.#report = report
    this.#isShared = isShared
  }

  /** Starts it, on its former port if that is free. @returns its URL */
  async begin(): Promise<string> {
    const [last] = await this.#known()
    this.#site ??= await startAt(
      last === undefined ? undefined : Number(new URL(last).port),
      this.#isShared && (await canSharePorts({ host: '127.0.0.1', port: 0 })),
    )
    const { url } = this.#site
    if (last === undefined) await this.#store.secrets.put(remembered, url)
    return url
  }

  async #known(): Promise<readonly string[]> {
    return (await this.#store.secrets.get(remembered))?.split(' ') ?? []
  }

  /** For a later start: runs it if a zone still points to it. */
  async resume(): Promise<void> {
    const known = await this.#known()
    if (known.length === 0 || this.#site !== undefined) return
    const zones = (await this.#store.zones.list()).filter(
      ({ originUrl }) => originUrl !== undefined && known.includes(originUrl),
    )
    if (zones.length === 0) return
    const names = zones.map(zone => zone.name).join(', ')
    try {
      const now = await this.begin()
      const former = known.filter(url => url !== now)
      if (former.length === 0) return
      // Both URLs: if this start is interrupted, the next one finds all zones, moved or not.
      await this.#store.secrets.put(remembered, [now, ...former].join(' '))
      for (const zone of zones) if (zone.originUrl !== now) await this.#move(zone, now)
      await this.#store.secrets.put(remembered, now)
      this.#report(`another program uses ${former[0]}: the sample site behind ${names} is now at ${now}`)
    } catch (error) {
      this.#report(`the sample site behind ${names} cannot start: ${(error as Error).message}`)
    }
  }

  async close(): Promise<void> {
    await this.#site?.close()
  }

  async #move(zone: Revised<Zone>, originUrl: string): Promise<void> {
    const account = (await this.#store.accounts.get(zone.accountId))!
    const moved = { ...zone, originUrl, modifiedOn: timestampOf(Date.now()) }
    const entry = this.#audit.entry({
      action: 'update',
      resource: { kind: 'zone', id: zone.id },
      before: zoneToWire(zone, account),
      after: zoneToWire(moved, account),
      zoneId: zone.id,
    })
    await this.#store.zones.update(moved, entry)
  }
}

async function startAt(port: number | undefined, isShared: boolean): Promise<SampleSite> {
  try {
    return await startSampleSite(port, isShared)
  } catch (error) {
    if (port === undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return startSampleSite(undefined, isShared)
  }
}
