import type { AuditEntry, CrsRelease } from '../model/resource.ts'
import type { Reach } from '../model/settings/index.ts'
import type { Store } from '../store/index.ts'
import { CrsError } from './crs-error.ts'
import { type CrsAudit, compileOrThrow, type Imported, importBundle, keepBundle } from './import-bundle.ts'
import { rulesKey } from './installed-rules.ts'
import { KeptSnapshots } from './snapshots/kept-snapshots.ts'
import { readRelease } from './sources/directory.ts'
import { type CrsSources, obtainRelease, publicSources } from './sources/obtain.ts'
import { fetchNewestRelease } from './sources/upstream.ts'

export interface CrsOptions {
  readonly store: Store
  /** The data directory; its `tmp` is used for downloads, its `crs-cache` for snapshots. */
  readonly data: string
  /** Receives progress, one line at a time. */
  readonly report: (text: string) => void
  /** Which addresses releases may be downloaded from. */
  readonly reach: Reach
  readonly sources?: CrsSources
}

/** The CRS releases of an installation. After any CrsError the active release and the setup are what they were. */
export interface Crs {
  /**
   * Makes sure that a release is active and that the setup in use is the given one; asked at every start. The
   * network is asked only when no path is given and nothing was imported yet.
   * @throws CrsError when no release is available, or it does not compile
   */
  ensure(wanted: {
    /** The setting `SLUICE_CRS`: a directory or archive, imported unless it is there already. */
    readonly path: string | undefined
    /** Byte string: a `crs-setup.conf` in place of the release's. */
    readonly setup: string | undefined
    readonly audit?: CrsAudit
  }): Promise<CrsRelease>
  /** Every imported release, oldest first. */
  list(): Promise<readonly ListedRelease[]>
  /** Imports the newest upstream release, unless it is there already, and makes it active. @throws CrsError */
  sync(audit?: CrsAudit): Promise<Imported>
  /**
   * Imports the newest upstream release, unless it is imported already; the active release stays.
   * @param audit the entry of the audit trail, should it be new
   * @throws CrsError
   */
  obtain(audit?: (release: CrsRelease) => AuditEntry): Promise<Imported>
  /** Imports a directory or archive, unless it is there already, and makes it active. @throws CrsError */
  import(path: string, audit?: CrsAudit): Promise<Imported>
  /**
   * Makes an imported release active.
   * @param version of the managed ruleset (1, 2, …), not of the CRS
   * @throws CrsError `unknown-release`, `does-not-compile`
   */
  use(version: number, audit?: AuditEntry): Promise<CrsRelease>
}

export interface ListedRelease {
  readonly release: CrsRelease
  readonly active: boolean
}

export function openCrs({ store, data, report, reach, sources = publicSources(reach) }: CrsOptions): Crs {
  const snapshots = new KeptSnapshots(data)
  return {
    ensure: async ({ path, setup, audit }) => {
      if (path !== undefined)
        return (await importBundle(store, await readRelease(path), setup, snapshots, audit)).release
      const active = await store.crs.active()
      if (active !== undefined) return changeSetup(store, active, setup, snapshots, audit)
      const bundle = await obtainRelease(sources, data, report)
      return (await importBundle(store, bundle, setup, snapshots, audit)).release
    },
    list: () => list(store),
    sync: async audit =>
      importBundle(
        store,
        await fetchNewestRelease(sources.upstream, report),
        await store.crs.setup(),
        snapshots,
        audit,
      ),
    obtain: async audit =>
      keepBundle(store, await fetchNewestRelease(sources.upstream, report), snapshots, audit),
    import: async (path, audit) =>
      importBundle(store, await readRelease(path), await store.crs.setup(), snapshots, audit),
    use: (version, audit) => use(store, version, snapshots, audit),
  }
}

async function changeSetup(
  store: Store,
  active: CrsRelease,
  setup: string | undefined,
  snapshots: KeptSnapshots,
  audit: CrsAudit | undefined,
): Promise<CrsRelease> {
  if (setup !== (await store.crs.setup())) {
    const what = `OWASP CRS ${active.crsVersion} with the crs-setup.conf given`
    const { snapshot } = compileOrThrow(what, await store.crs.files(active.version), setup)
    await store.crs.setSetup(setup, audit?.('update', active))
    await snapshots.write(rulesKey(active.digest, setup), snapshot)
  }
  return active
}

async function list(store: Store): Promise<readonly ListedRelease[]> {
  const [releases, active] = await Promise.all([store.crs.list(), store.crs.active()])
  return releases.map(release => ({ release, active: release.version === active?.version }))
}

async function use(
  store: Store,
  version: number,
  snapshots: KeptSnapshots,
  audit: AuditEntry | undefined,
): Promise<CrsRelease> {
  const release = await store.crs.byVersion(version)
  if (release === undefined) throw CrsError.unknownRelease(version)
  const setup = await store.crs.setup()
  const { snapshot } = compileOrThrow(
    `OWASP CRS ${release.crsVersion}`,
    await store.crs.files(version),
    setup,
  )
  await snapshots.write(rulesKey(release.digest, setup), snapshot)
  await store.crs.activate(version, audit)
  return release
}
