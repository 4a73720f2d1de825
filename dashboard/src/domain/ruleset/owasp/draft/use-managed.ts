import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useRead } from '../../../../api/hooks.ts'
import type { RulesetSummary } from '../../../../api/types.ts'
import { useUrlState } from '../../../../ui/address/use-url-state.ts'
import { useZoneId } from '../../../zone/use-zone-id.ts'
import { useEntryPoint } from '../../entry-point.ts'
import { applyChanges, type Changes, noChanges, realChanges } from '../changes.ts'
import {
  deploymentsIn,
  type EntryPoint,
  type ExecuteRule,
  type ManagedRuleset,
  managedPhase,
  owaspRulesetId,
} from '../document.ts'
import { differences } from '../sentences.ts'
import { readSettings, type Settings } from '../settings.ts'
import type { DeploymentContext } from '../write.ts'
import { type Draft, setDraft, useDraft } from './draft-store.ts'

/** The managed ruleset of a zone: its deployment, and the draft on top of it. */
export interface Managed {
  readonly context: DeploymentContext
  /** Rules that execute the ruleset; `context.rule` is one of them. */
  readonly deployments: readonly ExecuteRule[]
  /** In the version that the draft names. */
  readonly ruleset: ManagedRuleset
  /** True when the version that the draft names does not exist. */
  readonly isVersionGone: boolean
  /** The version that `latest` refers to. */
  readonly latestVersion: string
  readonly versions: readonly RulesetSummary[]
  readonly base: Settings
  readonly settings: Settings
  readonly changes: Changes
  readonly draft: Draft | undefined
  readonly sentences: readonly string[]
  /** Adds to the draft. */
  change(changes: Changes): void
  /** Replaces the draft. */
  replace(changes: Changes): void
  discard(): void
  /** Acknowledges the changes that others made after the draft was started. */
  rebase(): void
}

export type ManagedState =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly managed: Managed }

/** A version of a ruleset never changes; the meaning of `latest` does. */
const versionStaleMs = 3_600_000

export function useManaged(): ManagedState {
  const zoneId = useZoneId()
  const draft = useDraft(zoneId)
  const { entryPoint, found, deployments, rule } = useDeployment(zoneId)
  const version = draft?.changes.version ?? rule?.action_parameters.version ?? 'latest'
  const { ruleset, latest, versions, isVersionGone } = useVersionOf(zoneId, version)
  const shown = useMemo(
    () => (ruleset === undefined ? undefined : drafted(rule, ruleset, draft)),
    [rule, ruleset, draft],
  )
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
    context: { zoneId, entryPoint: found, rule },
    deployments,
    ruleset: ruleset!,
    isVersionGone,
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

/** The deployed rule from the address, otherwise the first. */
function useDeployment(zoneId: string) {
  const entryPoint = useEntryPoint(zoneId, managedPhase)
  const [named] = useUrlState('deployment')
  const found = (entryPoint.data ?? undefined) as EntryPoint | undefined
  const deployments = useMemo(() => deploymentsIn(found), [found])
  const rule = deployments.find(({ id }) => id === named) ?? deployments[0]
  return { entryPoint, found, deployments, rule }
}

/** The ruleset in one version; in the newest when that version is gone. */
function useVersionOf(zoneId: string, version: string) {
  const path = { zone_id: zoneId, ruleset_id: owaspRulesetId }
  const latest = useRead('GET /zones/{zone_id}/rulesets/{ruleset_id}', { path }, { staleMs: 60_000 })
  const versions = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
    { path },
    { staleMs: 60_000 },
  )
  const pinned = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions/{version}',
    { path: { ...path, version } },
    { enabled: version !== 'latest', staleMs: versionStaleMs },
  )
  const ruleset = ((version === 'latest' ? undefined : pinned.data) ?? latest.data) as
    | ManagedRuleset
    | undefined
  return { ruleset, latest, versions, isVersionGone: version !== 'latest' && pinned.isError }
}

/** The settings as deployed and with the draft, and the differences in words. */
function drafted(rule: ExecuteRule | undefined, ruleset: ManagedRuleset, draft: Draft | undefined) {
  const base = readSettings(rule, ruleset)
  const changes = realChanges(base, draft?.changes ?? noChanges)
  return {
    base,
    changes,
    settings: applyChanges(base, changes),
    sentences: differences(rule, changes, ruleset),
  }
}
