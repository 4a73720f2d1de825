import { crsLimits } from '../kit/limits.ts'
import type { Store } from '../store/index.ts'
import { CrsError } from './crs-error.ts'
import { compileInThread } from './image-thread.ts'
import { type InstalledRules, installedRules } from './installed-rules.ts'
import { KeptImages } from './kept-images.ts'
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

/** @param data the data directory */
export function createImages(store: Store, data: string): Images {
  const onDisk = new KeptImages(data)
  const inMemory = new LastUsed<SharedArrayBuffer>(crsLimits.programsMax)

  async function load(rules: InstalledRules): Promise<SharedArrayBuffer> {
    const known = await onDisk.read(rules.key)
    if (known !== undefined) return known
    const image = await compileInstalled(store, rules)
    await onDisk.write(rules.key, image)
    return image
  }

  return {
    async imageFor(version, key) {
      const rules = await installedRules(store, version)
      return rules.key === key ? inMemory.get(key, () => load(rules)) : undefined
    },
  }
}

async function compileInstalled(
  store: Store,
  { release, setup }: InstalledRules,
): Promise<SharedArrayBuffer> {
  const outcome = await compileInThread({ files: await store.crs.files(release.version), setup })
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${release.crsVersion}`, outcome.diagnostics)
  return outcome.value
}
