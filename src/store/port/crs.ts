import type { AuditEntry, CrsFile, CrsRelease, Ruleset } from '../../model/resource.ts'

export interface CrsStore {
  list(): Promise<readonly CrsRelease[]>
  /** The release that `latest` means. */
  active(): Promise<CrsRelease | undefined>
  byVersion(version: number): Promise<CrsRelease | undefined>
  files(version: number): Promise<readonly CrsFile[]>
  /**
   * Stores a release with its managed rulesets and makes it active, in one transaction. Assigns the version.
   * If a release with this digest is stored already, that one is made active and returned.
   */
  insert(release: NewCrsRelease, audit?: (release: CrsRelease) => AuditEntry): Promise<CrsRelease>
  /** Stores a release without making it active. */
  keep(release: NewCrsRelease, audit?: (release: CrsRelease) => AuditEntry): Promise<CrsRelease>
  activate(version: number, audit?: AuditEntry): Promise<boolean>
  /** Managed rulesets of a release, without scope. */
  managedRulesets(version: number): Promise<readonly ManagedRuleset[]>
  /** The user's `crs-setup.conf`; undefined when there is none. */
  setup(): Promise<string | undefined>
  setSetup(text: string | undefined, audit?: AuditEntry): Promise<void>
}

export type ManagedRuleset = Omit<Ruleset, 'scope'>

export interface NewCrsRelease {
  readonly crsVersion: string
  readonly digest: string
  readonly origin: string
  readonly releasedYear?: number
  readonly files: readonly CrsFile[]
  /** Made once the version is known, because the rules carry it. */
  readonly managedRulesets: (version: number, importedOn: string) => readonly ManagedRuleset[]
}
