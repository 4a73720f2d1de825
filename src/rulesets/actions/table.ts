import type { Static, TSchema } from 'typebox'
import type { JsonObject, Phase } from '../../model/resource.ts'
import { blockShape } from '../schemas/block.ts'
import { compressResponseShape } from '../schemas/compress-response.ts'
import { executeShape } from '../schemas/execute.ts'
import { logCustomFieldShape } from '../schemas/log-custom-field.ts'
import { emptyShape } from '../schemas/no-parameters.ts'
import { redirectShape } from '../schemas/redirect.ts'
import { rewriteHeadersShape, rewriteUriShape } from '../schemas/rewrite.ts'
import { routeShape } from '../schemas/route.ts'
import { serveErrorShape } from '../schemas/serve-error.ts'
import type { Shape } from '../schemas/shape.ts'
import { skipShape } from '../schemas/skip.ts'
import type { ActionContext } from './action-context.ts'
import { checkBlock } from './block.ts'
import { checkCompressResponse } from './compress-response.ts'
import { checkExecute } from './execute.ts'
import { checkLogCustomField } from './log-custom-field.ts'
import { checkRedirect } from './redirect.ts'
import { checkRewriteHeaders, checkRewriteUri } from './rewrite.ts'
import { checkRoute } from './route.ts'
import { checkServeError } from './serve-error.ts'
import { checkSetConfig } from './set-config.ts'
import { checkSkip } from './skip.ts'

/** Refuses wrong parameters. @returns the stored and shown parameters: as sent, with defaults filled in */
type ParameterCheck = (parameters: JsonObject, at: ActionContext) => JsonObject

interface ActionParameters {
  /** Whether a rule with this action must have parameters. */
  readonly needed: boolean
  readonly check: ParameterCheck
}

/** Parameters that pass the shape and the check are stored unchanged. */
function keep<S extends TSchema>(
  shape: Shape<S>,
  check: (parameters: Static<S>, at: ActionContext) => void,
): ParameterCheck {
  return (parameters, at) => {
    check(shape.read(parameters, at.pointer), at)
    return parameters
  }
}

const nothingMore = (): void => undefined
const none: ActionParameters = { needed: false, check: keep(emptyShape, nothingMore) }

const rewriteUri = keep(rewriteUriShape, checkRewriteUri)
const rewriteHeaders = keep(rewriteHeadersShape, checkRewriteHeaders)
const uriPhase: Phase = 'http_request_transform'

/** Parameters by action: their shape, and a check for conditions that no schema can express. */
export const actionParameters: Readonly<Record<string, ActionParameters>> = {
  block: { needed: false, check: keep(blockShape, checkBlock) },
  challenge: none,
  compress_response: { needed: true, check: keep(compressResponseShape, checkCompressResponse) },
  execute: {
    needed: true,
    check: (parameters, at) => checkExecute(executeShape.read(parameters, at.pointer), at),
  },
  js_challenge: none,
  log: none,
  log_custom_field: { needed: true, check: keep(logCustomFieldShape, checkLogCustomField) },
  managed_challenge: none,
  redirect: { needed: true, check: keep(redirectShape, checkRedirect) },
  rewrite: {
    needed: true,
    check: (parameters, at) => (at.type.phase === uriPhase ? rewriteUri : rewriteHeaders)(parameters, at),
  },
  route: { needed: true, check: keep(routeShape, checkRoute) },
  serve_error: { needed: true, check: keep(serveErrorShape, checkServeError) },
  set_config: {
    needed: true,
    check: checkSetConfig,
  },
  skip: { needed: true, check: keep(skipShape, checkSkip) },
}
