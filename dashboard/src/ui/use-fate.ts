import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useSession } from '../api/hooks.ts'
import { useMay } from '../api/permissions.ts'
import type { RequestTrace, TraceItem } from '../api/types.ts'

const operation = 'POST /accounts/{account_id}/request-tracer/trace'

/** How soon it is known that something stops it. */
const askMs = 5000

/**
 * What the edge would do now with a request of curl to a zone, asked of its tracer, and again until something stops it:
 * a new zone takes a moment to get there, and so do its rules.
 * @param hasEdge whether there is one to ask
 * @returns undefined until it is known, and without the permission
 */
export function useFate(zoneName: string, path: string, hasEdge: boolean): RequestTrace | undefined {
  const { accountId } = useSession()
  const { may } = useMay('requestTracer read')
  const body = {
    method: 'GET' as const,
    url: `http://${zoneName}${path}`,
    headers: { 'User-Agent': 'curl/8.17.0', Accept: '*/*' },
    skip_response: true,
  }
  const { data, isError } = useQuery({
    queryKey: [operation, zoneName, path],
    queryFn: ({ signal }) => call(operation, { path: { account_id: accountId }, body }, signal),
    enabled: may && hasEdge,
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.outcome.kind === 'answer' ? false : askMs),
  })
  return isError ? undefined : data
}

/** What becomes of a request, to go on a sentence with; empty when it is not known. */
export function fateText(trace: RequestTrace | undefined): string {
  if (trace === undefined) return ''
  const { outcome, status_code: status } = trace
  switch (outcome.kind) {
    case 'drop':
      return ', to which the edge closes the connection'
    case 'forward':
      return hasLogged(trace.trace)
        ? ', which the rules of the zone log and let go on to the origin'
        : ', which no rule of the zone stops: the origin answers it, too'
    case 'answer':
      if (outcome.action === 'block') return `, which the rules of the zone block (status ${status})`
      return challenges.has(outcome.action ?? '')
        ? `, which the rules of the zone answer with a challenge (status ${status})`
        : `, which the edge answers with status ${status}`
  }
}

/** As records spell them. */
const challenges: ReadonlySet<string> = new Set(['challenge', 'jschallenge', 'managedChallenge'])

function hasLogged(items: readonly TraceItem[]): boolean {
  return items.some(item => item.did === 'log' || hasLogged(item.trace ?? []))
}
