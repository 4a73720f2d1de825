import type { Store } from '../store/index.ts'
import { type SampleSite, startSampleSite } from './sample-site/index.ts'

const remembered = 'sample-site-url'

/**
 * Runs the sample site while a zone points to it. Its port is chosen once and remembered, so that the zone's origin
 * stays true over restarts.
 */
export class SampleOrigin {
  readonly #store: Store
  #site: SampleSite | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Starts it for the first time. @returns its URL */
  async begin(): Promise<string> {
    this.#site = await startSampleSite()
    return this.#store.secrets.putOnce(remembered, this.#site.url)
  }

  /** At a later start: runs it if a zone still points to it. */
  async resume(): Promise<void> {
    const url = await this.#store.secrets.get(remembered)
    if (url === undefined || this.#site !== undefined) return
    const zones = (await this.#store.zones.list()).filter(zone => zone.originUrl === url)
    if (zones.length === 0) return
    this.#site = await startSampleSite(Number(new URL(url).port))
  }

  async close(): Promise<void> {
    await this.#site?.close()
  }
}
