import { notifications } from '@mantine/notifications'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Call, send } from '../../api/client.ts'
import type { RulesetSummary } from '../../api/types.ts'
import type { HistoryRuleset } from '../../domain/history/documents.ts'

/** Owner of the rulesets: a zone or the account. */
export interface HistoryScope {
  readonly kind: 'zone' | 'account'
  readonly id: string
}

export function pathOf({ kind, id }: HistoryScope): string {
  return `/${kind}s/${id}/rulesets`
}

/** Named like the API operations, so that changes elsewhere invalidate them. */
function keyOf(scope: HistoryScope, rest: string, ...values: readonly string[]) {
  return [`GET /${scope.kind}s/{${scope.kind}_id}/rulesets${rest}`, 'history', scope.id, ...values]
}

/** Entry points and custom rulesets; managed rulesets have releases instead of changes. */
export function useOwnRulesets(scope: HistoryScope) {
  return useQuery({
    queryKey: keyOf(scope, ''),
    queryFn: async ({ signal }) => {
      const all: RulesetSummary[] = []
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
        const { result, page } = await send<RulesetSummary[]>(
          { method: 'GET', path: pathOf(scope) + query },
          signal,
        )
        all.push(...result)
        cursor = page?.cursors?.after
      }
      return all.filter(({ kind }) => kind !== 'managed')
    },
  })
}

/** Newest first. */
export function useVersions(scope: HistoryScope, rulesetId: string | undefined) {
  return useQuery({
    queryKey: keyOf(scope, '/{ruleset_id}/versions', rulesetId ?? ''),
    queryFn: async ({ signal }) => {
      const path = `${pathOf(scope)}/${rulesetId}/versions`
      return (await send<RulesetSummary[]>({ method: 'GET', path }, signal)).result.toReversed()
    },
    enabled: rulesetId !== undefined,
  })
}

/** A version never changes. */
export function useVersion(scope: HistoryScope, rulesetId: string, version: string | undefined) {
  return useQuery({
    queryKey: keyOf(scope, '/{ruleset_id}/versions/{version}', rulesetId, version ?? ''),
    queryFn: async ({ signal }) => {
      const path = `${pathOf(scope)}/${rulesetId}/versions/${version}`
      return (await send<HistoryRuleset>({ method: 'GET', path }, signal)).result
    },
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

/** Writes the rules of an old version as a new version. */
export function useRestore(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (call: Call) => (await send<HistoryRuleset>(call)).result,
    onSuccess: async ({ version }) => {
      notifications.show({
        color: 'teal',
        message: `Restored as version ${version}`,
      })
      onDone()
    },
    // Also after a refusal: someone else may have changed the ruleset.
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) => String(first).includes('/rulesets'),
      }),
  })
}
