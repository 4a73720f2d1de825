import { Type } from '@fastify/type-provider-typebox'
import type { CustomAsset } from '../../model/custom-asset.ts'
import { strict, text, time, type Wire } from '../http/schemas.ts'
import { customPageLimits } from './limits.ts'

export const customAssetSchema = Type.Object({
  name: text,
  description: text,
  url: text,
  last_updated: time,
  size_bytes: Type.Integer(),
})

const changeable = {
  description: Type.Optional(Type.String({ maxLength: customPageLimits.assetDescriptionCharactersMax })),
  url: Type.String({ minLength: 1, maxLength: customPageLimits.pageUrlBytesMax }),
}

/** @source Cloudflare docs, "Custom errors parameters" */
const name = Type.String({
  pattern: '^[A-Za-z0-9_]{1,200}$',
  description: 'at most 200 letters, digits and underscores',
})

export const assetCreateBody = Type.Object({ name, ...changeable }, strict)
export const assetUpdateBody = Type.Object(changeable, strict)

export function customAssetToWire({
  name,
  description,
  url,
  content,
  lastUpdated,
}: CustomAsset): Wire<typeof customAssetSchema> {
  return { name, description, url, last_updated: lastUpdated, size_bytes: Buffer.byteLength(content) }
}
