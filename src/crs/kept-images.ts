import { join } from 'node:path'
import { isImage } from '../waf/index.ts'
import { engineDigest } from './engine-digest.ts'
import { ImageCache } from './image-cache.ts'

/** The images in a data directory, by rules (`InstalledRules.key`): only those that this very engine has made. */
export class KeptImages {
  readonly #cache: ImageCache
  #engine: Promise<string | undefined> | undefined

  constructor(data: string) {
    this.#cache = new ImageCache(join(data, 'crs-cache'))
  }

  /** Undefined when there is none, or none that is whole. */
  async read(key: string): Promise<SharedArrayBuffer | undefined> {
    const name = await this.#nameOf(key)
    const image = name === undefined ? undefined : await this.#cache.read(name)
    return image !== undefined && isImage(image) ? image : undefined
  }

  /** Resolves also when it could not be written. */
  async write(key: string, image: SharedArrayBuffer): Promise<void> {
    const name = await this.#nameOf(key)
    if (name !== undefined) await this.#cache.write(name, image)
  }

  async #nameOf(key: string): Promise<string | undefined> {
    this.#engine ??= engineDigest().catch(() => undefined)
    const engine = await this.#engine
    return engine === undefined ? undefined : `${engine} ${key}`
  }
}
