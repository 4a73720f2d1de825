import type { Store } from '../store/index.ts'
import { type SampleSite, startSampleSite } from './sample-site/index.ts'

const remembered = 'sample-site-url'

/**
 * Runs the sample site while a zone points to it. Its port is chosen once and remembered, so that the zone's origin
 * stays true over restarts. It is a toy: when the port is taken, everything else starts without it.
 */
export class SampleOrigin {
  readonly #store: Store
  readonly #report: (line: string) => void
  #site: SampleSite | undefined

  constructor(store: Store, report: (line: string) => void) {
    this.#store = store
    this.#report = report
  }

  /** Starts it, on the port of last time if there was one. @returns its URL */
  async begin(): Promise<string> {
    const known = await this.#store.secrets.get(remembered)
    this.#site ??= await startSampleSite(known === undefined ? undefined : Number(new URL(known).port))
    return this.#store.secrets.putOnce(remembered, this.#site.url)
  }

  /** At a later start: runs it if a zone still points to it. */
  async resume(): Promise<void> {
    const url = await this.#store.secrets.get(remembered)
    if (url === undefined || this.#site !== undefined) return
    const zones = (await this.#store.zones.list()).filter(zone => zone.originUrl === url)
    if (zones.length === 0) return
    try {
      await this.begin()
    } catch (error) {
      const names = zones.map(zone => zone.name).join(', ')
      this.#report(`the sample site behind ${names} cannot start at ${url}: ${(error as Error).message}`)
    }
  }

  async close(): Promise<void> {
    await this.#site?.close()
  }
}
