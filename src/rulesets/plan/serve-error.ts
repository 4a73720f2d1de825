import type { CustomAsset } from '../../model/custom-asset.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { ServeErrorParameters } from '../schemas/serve-error.ts'
import { valueParts } from './custom-pages.ts'
import type { CompiledFilter } from './expressions.ts'
import type { ServeErrorEffect } from './plan.ts'

/** The effect of a stored `serve_error` rule. @param assets of the same account or zone */
export function serveErrorOf(
  parameters: JsonObject,
  { fields }: CompiledFilter,
  assets: readonly CustomAsset[],
): ServeErrorEffect {
  const { content, content_type, asset_name, status_code } = parameters as ServeErrorParameters
  const asset = assets.find(({ name }) => name === asset_name)
  const text = content ?? asset?.content
  return {
    kind: 'serve-error',
    status: status_code,
    contentType: content_type ?? asset?.contentType ?? 'text/html',
    content: text === undefined ? undefined : valueParts(text),
    namesError: [...fields].some(field => errorFields.has(field)),
  }
}

const errorFields: ReadonlySet<string> = new Set(['cf.response.error_type', 'cf.response.1xxx_code'])
