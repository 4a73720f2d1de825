import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useEntryPoint } from '../../api/entry-point.ts'
import { useRead } from '../../api/hooks.ts'
import type { RulesetSummary } from '../../api/types.ts'
import { applyChanges, type Changes, noChanges, realChanges } from '../../managed/changes.ts'
import {
  deploymentsIn,
  type EntryPoint,
  type ExecuteRule,
  type ManagedRuleset,
  managedPhase,
  owaspRulesetId,
} from '../../managed/document.ts'
import { differences } from '../../managed/sentences.ts'
import { readSettings, type Settings } from '../../managed/settings.ts'
import type { Place } from '../../managed/write.ts'
import { useUrlState } from '../../ui/use-url-state.ts'
import { useZoneId } from '../../ui/use-zone-id.ts'
import { type Draft, setDraft, useDraft } from './draft-store.ts'

/** The managed ruleset of a zone: what is deployed, and the draft on top of it. */
export interface Managed {
  readonly place: Place
  /** Rules that deploy the ruleset; `place.rule` is one of them. */
  readonly deployments: readonly ExecuteRule[]
  /** In the version that the draft names. */
  readonly ruleset: ManagedRuleset
  /** True when the version that the draft names is not there. */
  readonly isVersionGone: boolean
  /** The version that `latest` means. */
  readonly latestVersion: string
  readonly versions: readonly RulesetSummary[]
  readonly base: Settings
  readonly settings: Settings
  readonly changes: Changes
  readonly draft: Draft | undefined
  readonly sentences: readonly string[]
  /** Adds to the draft. */
  change(changes: Changes): void
  /** Puts another draft in place of this one. */
  replace(changes: Changes): void
  discard(): void
  /** What others changed since the draft was begun has been seen. */
  rebase(): void
}

export type ManagedState =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly managed: Managed }

/** A version of a ruleset never changes; what `latest` means does. */
const versionStaleMs = 3_600_000

export function useManaged(): ManagedState {
  const zoneId = useZoneId()
  const entryPoint = useEntryPoint(zoneId, managedPhase)
  const path = { zone_id: zoneId, ruleset_id: owaspRulesetId }
  const latest = useRead('GET /zones/{zone_id}/rulesets/{ruleset_id}', { path }, { staleMs: 60_000 })
  const versions = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
    { path },
    { staleMs: 60_000 },
  )
  const draft = useDraft(zoneId)
  const [named] = useUrlState('deployment')
  const found = (entryPoint.data ?? undefined) as EntryPoint | undefined
  const deployments = useMemo(() => deploymentsIn(found), [found])
  const rule = deployments.find(({ id }) => id === named) ?? deployments[0]
  const version = draft?.changes.version ?? rule?.action_parameters.version ?? 'latest'
  const pinned = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions/{version}',
    { path: { ...path, version } },
    { enabled: version !== 'latest', staleMs: versionStaleMs },
  )
  const ruleset = ((version === 'latest' ? undefined : pinned.data) ?? latest.data) as
    | ManagedRuleset
    | undefined
  const shown = useMemo(() => {
    if (ruleset === undefined) return undefined
    const base = readSettings(rule, ruleset)
    const changes = realChanges(base, draft?.changes ?? noChanges)
    return {
      base,
      changes,
      settings: applyChanges(base, changes),
      sentences: differences(rule, changes, ruleset),
    }
  }, [rule, ruleset, draft])
  const replace = useCallback(
    (changes: Changes) => {
      if (shown === undefined) return
      const begun = draft ?? { baseVersion: found?.version, baseRule: rule }
      setDraft(zoneId, { ...begun, changes: realChanges(shown.base, changes) })
    },
    [zoneId, shown, draft, found, rule],
  )

  const failed = [entryPoint, latest, versions].find(query => (query as UseQueryResult).isError)
  if (failed !== undefined) return { state: 'failed', error: failed.error }
  if (
    shown === undefined ||
    latest.data === undefined ||
    entryPoint.data === undefined ||
    versions.data === undefined
  )
    return { state: 'reading' }
  const managed: Managed = {
    place: { zoneId, entryPoint: found, rule },
    deployments,
    ruleset: ruleset!,
    isVersionGone: version !== 'latest' && pinned.isError,
    latestVersion: latest.data.version,
    versions: versions.data,
    ...shown,
    draft,
    change: changes => replace({ ...shown.changes, ...changes }),
    replace,
    discard: () => setDraft(zoneId, undefined),
    rebase: () => setDraft(zoneId, { changes: shown.changes, baseVersion: found?.version, baseRule: rule }),
  }
  return { state: 'ready', managed }
}
