import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { RequestTrace, TraceItem } from '../../api/types.ts'

const operation = 'POST /accounts/{account_id}/request-tracer/trace'

/** Poll interval until a rule stops the request. */
const askMs = 5000

/**
 * Traces a curl request to a zone, and traces it again until a rule stops it: a new zone and its rules take a moment
 * to reach the edge.
 * @param hasEdge whether an edge is available for the trace
 * @returns undefined until the trace is done, and without the permission
 */
export function useTraceOutcome(zoneName: string, path: string, hasEdge: boolean): RequestTrace | undefined {
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

/** The outcome as the end of a sentence; empty when unknown. */
export function traceOutcomeText(trace: RequestTrace | undefined): string {
  if (trace === undefined) return ''
  const { outcome, status_code: status } = trace
  switch (outcome.kind) {
    case 'drop':
      return ', on which the edge closes the connection'
    case 'forward':
      return hasLogged(trace.trace)
        ? ', which the zone’s rules log and forward to the origin'
        : ', which also reaches the origin: no rule stops it'
    case 'answer':
      if (outcome.action === 'block') return `, which the zone’s rules block (status ${status})`
      return challenges.has(outcome.action ?? '')
        ? `, which the zone’s rules challenge (status ${status})`
        : `, to which the edge responds with status ${status}`
  }
}

/** Action names in records. */
const challenges: ReadonlySet<string> = new Set(['challenge', 'jschallenge', 'managedChallenge'])

function hasLogged(items: readonly TraceItem[]): boolean {
  return items.some(item => item.did === 'log' || hasLogged(item.trace ?? []))
}
