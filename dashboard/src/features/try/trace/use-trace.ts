import { useMutation } from '@tanstack/react-query'
import { type Call, call, describeCall } from '../../../api/client.ts'
import { useSession } from '../../../api/hooks.ts'
import type { RequestTrace } from '../../../api/types.ts'
import type { RequestDraft } from '../request-draft.ts'
import { traceInput } from './trace-input.ts'

const operation = 'POST /accounts/{account_id}/request-tracer/trace'

/** Traces a draft. */
export function useTrace() {
  const { accountId } = useSession()
  const inputOf = (draft: RequestDraft) => ({ path: { account_id: accountId }, body: traceInput(draft) })
  const trace = useMutation<RequestTrace, Error, RequestDraft>({
    mutationFn: draft => call(operation, inputOf(draft)),
  })
  return { trace, callOf: (draft: RequestDraft): Call => describeCall(operation, inputOf(draft)) }
}
