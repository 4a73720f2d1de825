import { join } from 'node:path'
import { crsLimits } from '../kit/limits.ts'
import type { Store } from '../store/index.ts'
import { isImage } from '../waf/index.ts'
import { compileReleaseImage } from './assemble.ts'
import { CrsError } from './crs-error.ts'
import { engineDigest } from './engine-digest.ts'
import { ImageCache } from './image-cache.ts'
import { type InstalledRules, installedRules } from './installed-rules.ts'
import { LastUsed } from './last-used.ts'

/** Images of compiled releases, for all threads of a process. */
export interface Images {
  /**
   * @param version of the managed ruleset
   * @param key of the rules that are meant (see `InstalledRules`)
   * @returns one that needs no check; undefined when the setup was changed meanwhile
   * @throws CrsError `unknown-release`, `does-not-compile`; StoreError
   */
  imageFor(version: number, key: string): Promise<SharedArrayBuffer | undefined>
}

/** @param data the data directory; images are kept in its `crs-cache` */
export function createImages(store: Store, data: string): Images {
  const cache = new ImageCache(join(data, 'crs-cache'))
  const kept = new LastUsed<SharedArrayBuffer>(crsLimits.programsMax)
  let engine: Promise<string | undefined> | undefined

  async function load(rules: InstalledRules): Promise<SharedArrayBuffer> {
    engine ??= engineDigest().catch(() => undefined)
    const digest = await engine
    const name = digest === undefined ? undefined : `${digest} ${rules.key}`
    const known = name === undefined ? undefined : await cache.read(name)
    if (known !== undefined && isImage(known)) return known
    const image = await compileInstalled(store, rules)
    if (name !== undefined) await cache.write(name, image)
    return image
  }

  return {
    async imageFor(version, key) {
      const rules = await installedRules(store, version)
      return rules.key === key ? kept.get(key, () => load(rules)) : undefined
    },
  }
}

async function compileInstalled(
  store: Store,
  { release, setup }: InstalledRules,
): Promise<SharedArrayBuffer> {
  const outcome = compileReleaseImage(await store.crs.files(release.version), setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${release.crsVersion}`, outcome.diagnostics)
  return outcome.value
}
