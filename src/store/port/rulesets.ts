import type { AuditEntry, Ruleset, RulesetPhase, RulesetSummary, Scope } from '../../model/resource.ts'

export interface RulesetStore {
  /** Rulesets of one scope, without rules, oldest first. */
  list(scope: Scope): Promise<readonly RulesetSummary[]>
  get(scope: Scope, id: string): Promise<Ruleset | undefined>
  /** Every ruleset of one scope, complete, oldest first. */
  all(scope: Scope): Promise<readonly Ruleset[]>
  /** Complete rulesets of an account and its zones that may name a list (their rules contain a `$`); one query. */
  namingLists(accountId: string): Promise<readonly Ruleset[]>
  /** Stored versions without rules, oldest first; empty when there is no such ruleset. */
  versions(scope: Scope, id: string): Promise<readonly RulesetSummary[]>
  version(scope: Scope, id: string, version: number): Promise<Ruleset | undefined>
  /** Deletes an old version; its number is not used again. @returns false when there is none, or it is the newest */
  deleteVersion(scope: Scope, id: string, version: number, audit?: AuditEntry): Promise<boolean>
  /** The entry point (kind `zone` or `root`) of a phase. */
  entryPoint(scope: Scope, phase: RulesetPhase): Promise<Ruleset | undefined>
  /**
   * @param basis the state that the ruleset was checked against
   * @throws StoreError `conflict` when the scope already has an entry point for the phase, `stale` when the stored
   *   state differs from the basis
   */
  insert(ruleset: Ruleset, audit?: AuditEntry, basis?: RulesetBasis): Promise<void>
  /**
   * Replaces the stored version with the next one.
   * @throws StoreError `stale` when the stored version is not `ruleset.version - 1`, or the stored state differs from
   *   the basis
   */
  update(ruleset: Ruleset, audit?: AuditEntry, basis?: RulesetBasis): Promise<void>
  /** @throws StoreError `stale` when the stored state differs from the basis */
  delete(scope: Scope, id: string, audit?: AuditEntry, basis?: RulesetBasis): Promise<boolean>
}

/** The state that a ruleset was checked against. */
export interface RulesetBasis {
  /** All rulesets of the scope. */
  readonly rulesets: readonly Pick<RulesetSummary, 'id' | 'version'>[]
  /** Ids of the lists that its rules name. */
  readonly lists: readonly string[]
}
