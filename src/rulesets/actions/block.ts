import type { JsonObject } from '../../model/resource.ts'
import { rulesetLimits } from '../limits.ts'
import type { BlockResponse } from '../plan/plan.ts'
import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { BlockParameters } from '../schemas/block.ts'
import type { ActionContext } from './action-context.ts'

export function checkBlock({ response }: BlockParameters, { pointer }: ActionContext): void {
  const bytesMax = rulesetLimits.blockContentBytesMax
  if (response === undefined || Buffer.byteLength(response.content) <= bytesMax) return
  const reason = `it is longer than ${bytesMax} bytes`
  refuse(invalidValue('content', response.content, reason, `${pointer}/response/content`))
}

/** The response of a stored block rule; undefined for the default page. */
export function blockResponseOf(parameters: JsonObject | undefined): BlockResponse | undefined {
  const response = (parameters as BlockParameters | undefined)?.response
  if (response === undefined) return undefined
  return { status: response.status_code, content: response.content, contentType: response.content_type }
}
