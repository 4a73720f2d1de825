import type { AccessMode, AccessRule, AccessTarget, EnforcedAccessRule } from '../../model/access-rule.ts'
import type { AuditEntry, Scope } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** Conditions on access rules; absent ones hold for all. */
export interface AccessRuleFilter {
  readonly mode?: AccessMode
  readonly target?: AccessTarget
  readonly key?: string
  /** Part of the notes, in any case. */
  readonly notes?: string
}

export interface AccessRuleQuery {
  readonly filter: AccessRuleFilter
  /** `any`: one of the conditions is enough. */
  readonly match: 'any' | 'all'
  readonly order: 'target' | 'value' | 'mode' | 'created_on'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** IP access rules. Each write has a change entry of kind `access_rules` with the id of the account or zone. */
export interface AccessRuleStore {
  list(
    scope: Scope,
    query: AccessRuleQuery,
  ): Promise<{ readonly rules: readonly AccessRule[]; readonly total: number }>
  get(scope: Scope, id: string): Promise<AccessRule | undefined>
  /**
   * @throws StoreError `conflict` when the scope has a rule with this key, or does not exist; `full` when it has too many
   *   rules
   */
  insert(rule: AccessRule, audit?: AuditEntry): Promise<void>
  /** Replaces mode, notes and time. @throws StoreError `stale` when the stored rule differs from the basis */
  update(rule: AccessRule, audit: AuditEntry | undefined, basis: Basis<AccessRule>): Promise<void>
  /** @throws StoreError `stale` when the stored rule differs from the basis */
  delete(audit: AuditEntry | undefined, basis: Basis<AccessRule>): Promise<void>
  /** Rules of all accounts and zones in the order of their ids, after this one. */
  page(afterId: string, limit: number): Promise<readonly EnforcedAccessRule[]>
  /** Rules of an account or a zone in the order of their keys, after this one. */
  pageOf(scope: Scope, afterKey: string, limit: number): Promise<readonly EnforcedAccessRule[]>
  /**
   * Rules of an account or a zone that were written after a revision, at most `limit`, and the number of all its rules:
   * deleted ones are missing in both.
   */
  writtenAfter(
    scope: Scope,
    revision: number,
    limit: number,
  ): Promise<{ readonly rules: readonly EnforcedAccessRule[]; readonly count: number }>
}
