import { rulesetLimits } from '../../kit/limits.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { BlockResponse } from '../plan.ts'
import type { Fields } from '../reading.ts'

const parameterNames: ReadonlySet<string> = new Set(['response'])
const responseNames: ReadonlySet<string> = new Set(['status_code', 'content', 'content_type'])

/** Types that a response of one's own may have. */
const contentTypes: ReadonlySet<string> = new Set(['text/html', 'text/plain', 'application/json', 'text/xml'])

/** `block`: all three members of `response` are needed when it is there. */
export function checkBlock(parameters: Fields): JsonObject {
  parameters.allowOnly(parameterNames)
  const response = parameters.object('response')
  if (response !== undefined) checkResponse(response)
  return parameters.plain()
}

function checkResponse(response: Fields): void {
  response.allowOnly(responseNames)
  const status = response.integer('status_code')
  if (status === undefined || status < 400 || status > 499) {
    response.invalid('status_code', 'it must be from 400 to 499')
  }
  const content = response.required('content')
  const bytesMax = rulesetLimits.blockContentBytesMax
  if (Buffer.byteLength(content) > bytesMax)
    response.invalid('content', `it is longer than ${bytesMax} bytes`)
  if (!contentTypes.has(response.required('content_type'))) {
    response.invalid('content_type', `it must be one of ${[...contentTypes].join(', ')}`)
  }
}

/** The response of a stored block rule; undefined when it has the default page. */
export function blockResponseOf(parameters: JsonObject | undefined): BlockResponse | undefined {
  const response = parameters?.['response'] as WireResponse | undefined
  if (response === undefined) return undefined
  return { status: response.status_code, content: response.content, contentType: response.content_type }
}

/** As checked when it was written. */
interface WireResponse {
  readonly status_code: number
  readonly content: string
  readonly content_type: string
}
