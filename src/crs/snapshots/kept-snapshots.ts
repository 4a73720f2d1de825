import { join } from 'node:path'
import { isSnapshot } from '../../waf/index.ts'
import { engineDigest } from './engine-digest.ts'
import { SnapshotCache } from './snapshot-cache.ts'

/** The snapshots in a data directory, by rules (`InstalledRules.key`): only snapshots made by this engine version. */
export class KeptSnapshots {
  readonly #cache: SnapshotCache
  #engine: Promise<string | undefined> | undefined

  constructor(data: string) {
    this.#cache = new SnapshotCache(join(data, 'crs-cache'))
  }

  /** Undefined when there is none, or none that is whole. */
  async read(key: string): Promise<SharedArrayBuffer | undefined> {
    const name = await this.#nameOf(key)
    const snapshot = name === undefined ? undefined : await this.#cache.read(name)
    return snapshot !== undefined && isSnapshot(snapshot) ? snapshot : undefined
  }

  /** Resolves also when it could not be written. */
  async write(key: string, snapshot: SharedArrayBuffer): Promise<void> {
    const name = await this.#nameOf(key)
    if (name !== undefined) await this.#cache.write(name, snapshot)
  }

  async #nameOf(key: string): Promise<string | undefined> {
    this.#engine ??= engineDigest().catch(() => undefined)
    const engine = await this.#engine
    return engine === undefined ? undefined : `${engine} ${key}`
  }
}
