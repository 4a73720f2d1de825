import type { Change } from '../../bus/index.ts'
import type { NamedCertificate } from '../../edge/index.ts'
import { backoffMs } from '../../kit/clock.ts'
import type { CertificateSource } from '../../model/certificate.ts'
import type { ServedCertificate, Store } from '../../store/index.ts'

/** Delay between attempts to read certificates while the database is unreachable. */
const retry = { firstMs: 250, longestMs: 5_000 } as const

const rank: Readonly<Record<CertificateSource, number>> = { custom: 0, acme: 1 }

/**
 * The certificates of all zones, as the database has them. While the database is unreachable, the known ones stay and
 * the change is retried.
 */
export class ZoneCertificates {
  readonly #store: Pick<Store['certificates'], 'served'>
  readonly #onError: (error: unknown) => void
  readonly #byZone = new Map<string, readonly ServedCertificate[]>()
  #work: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(store: Pick<Store['certificates'], 'served'>, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Changes that are applied meanwhile wait for it. @throws StoreError if the database is unreachable */
  load(): Promise<void> {
    const loaded = this.#work.then(() => this.#readAll())
    this.#work = loaded.catch(() => {})
    return loaded
  }

  async #readAll(): Promise<void> {
    const all = Map.groupBy(await this.#store.served(), ({ zoneId }) => zoneId)
    this.#byZone.clear()
    for (const [zoneId, certificates] of all) this.#byZone.set(zoneId, certificates)
  }

  /** Resolves when the change is in force, with whether it was about certificates. */
  async apply(change: Change): Promise<boolean> {
    if (change.kind !== 'certificates' && change.kind !== 'everything') return false
    const done = this.#work.then(() =>
      this.#untilDone(() => (change.kind === 'everything' ? this.#readAll() : this.#reread(change.id))),
    )
    this.#work = done
    await done
    return true
  }

  /**
   * In order of precedence: by source, priority and expiry. A certificate serves only the names of its zone, which the
   * table knows: a zone may come between at any time.
   */
  inOrder(): readonly NamedCertificate[] {
    return [...this.#byZone.values()]
      .flat()
      .sort(
        (a, b) =>
          rank[a.source] - rank[b.source] || b.priority - a.priority || (a.expiresOn < b.expiresOn ? 1 : -1),
      )
      .map(({ certificate, key, hosts, zoneName, source, expiresOn }) => ({
        certificate,
        key,
        zoneName,
        names: hosts.filter(host => host === zoneName || host.endsWith(`.${zoneName}`)),
        source,
        expiresMs: Date.parse(expiresOn),
      }))
  }

  close(): void {
    this.#closed = true
  }

  async #reread(zoneId: string): Promise<void> {
    const certificates = await this.#store.served(zoneId)
    if (certificates.length === 0) this.#byZone.delete(zoneId)
    else this.#byZone.set(zoneId, certificates)
  }

  async #untilDone(attempt: () => Promise<void>): Promise<void> {
    for (let failures = 1; !this.#closed; failures++) {
      try {
        await attempt()
        return
      } catch (error) {
        this.#onError(error)
        await new Promise(resolve => setTimeout(resolve, backoffMs(retry, failures)))
      }
    }
  }
}
