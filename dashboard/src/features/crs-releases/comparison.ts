import type { CrsComparison } from '../../api/types.ts'

export type Kind = 'added' | 'removed' | 'changed'

/** One rule that differs between two releases. */
export interface ComparedRule {
  readonly kind: Kind
  /** Its CRS number. */
  readonly id: number
  readonly message: string
  readonly file: string
  /** Names of changed members; empty for added and removed rules. */
  readonly members: readonly string[]
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  /** Paranoia level; undefined for changed rules. */
  readonly level: number | undefined
  readonly severity: string | undefined
  readonly tags: readonly string[]
}

/** All differences, ordered by rule number. */
export function comparedRules({ added, removed, changed }: CrsComparison): readonly ComparedRule[] {
  const whole =
    (kind: Kind) =>
    (rule: CrsComparison['added'][number]): ComparedRule => ({
      kind,
      id: rule.id,
      message: rule.message,
      file: rule.file,
      members: [],
      changes: {},
      level: rule.paranoia_level,
      severity: rule.severity,
      tags: rule.tags,
    })
  return [
    ...added.map(whole('added')),
    ...removed.map(whole('removed')),
    ...changed.map(
      (rule): ComparedRule => ({
        kind: 'changed',
        id: rule.id,
        message: rule.message,
        file: rule.file,
        members: rule.members,
        changes: rule.changes as ComparedRule['changes'],
        level: undefined,
        severity: undefined,
        tags: [],
      }),
    ),
  ].toSorted((a, b) => a.id - b.id)
}

/** Display names of members. */
export const memberWords: Readonly<Record<string, string>> = {
  message: 'message',
  severity: 'severity',
  paranoia_level: 'paranoia level',
  tags: 'tags',
  text: 'rule text',
}

/** Filters by number, message or file. */
export function searchRules(
  rules: readonly ComparedRule[],
  search: string,
  kind: Kind | undefined,
): readonly ComparedRule[] {
  const wanted = search.trim().toLowerCase()
  return rules.filter(
    rule =>
      (kind === undefined || rule.kind === kind) &&
      `${rule.id} ${rule.message} ${rule.file}`.toLowerCase().includes(wanted),
  )
}
