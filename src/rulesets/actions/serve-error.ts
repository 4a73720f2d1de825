import { rulesetLimits } from '../limits.ts'
import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { ServeErrorParameters } from '../schemas/serve-error.ts'
import type { ActionContext } from './action-context.ts'

/** Exactly one of `content` and `asset_name`, and the type of `content`. */
export function checkServeError(parameters: ServeErrorParameters, { pointer }: ActionContext): void {
  const { content, content_type: type, asset_name: asset } = parameters
  if ((content === undefined) === (asset === undefined)) {
    const reason = 'it needs either content or asset_name'
    refuse(invalidValue('action_parameters', JSON.stringify(parameters), reason, pointer))
  }
  if (content === undefined) return
  if (type === undefined)
    refuse(invalidValue('content_type', '', 'content needs its type', `${pointer}/content_type`))
  const bytesMax = rulesetLimits.errorContentBytesMax
  if (Buffer.byteLength(content) <= bytesMax) return
  refuse(invalidValue('content', content, `it is longer than ${bytesMax} bytes`, `${pointer}/content`))
}
