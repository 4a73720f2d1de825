import type { JsonObject } from '../../model/resource.ts'
import type { ServeErrorParameters } from '../schemas/serve-error.ts'
import { valueParts } from './custom-pages.ts'
import type { CompiledFilter } from './expressions.ts'
import type { ServeErrorEffect } from './plan.ts'

/** The effect of a stored `serve_error` rule. */
export function serveErrorOf(parameters: JsonObject, { fields }: CompiledFilter): ServeErrorEffect {
  const { content, content_type: type = 'text/html', status_code } = parameters as ServeErrorParameters
  return {
    kind: 'serve-error',
    status: status_code,
    contentType: type,
    content: content === undefined ? undefined : valueParts(content),
    namesError: [...fields].some(field => errorFields.has(field)),
  }
}

const errorFields: ReadonlySet<string> = new Set(['cf.response.error_type', 'cf.response.1xxx_code'])
