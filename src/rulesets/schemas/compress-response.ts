import { type Static, Type } from 'typebox'
import { filled, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** @source Cloudflare docs, Compression Rules settings */
export const compressResponseShape = new Shape(
  Type.Object(
    {
      algorithms: Type.Array(
        Type.Object({ name: Type.Enum(['none', 'auto', 'default', 'gzip', 'brotli', 'zstd']) }, strict),
        filled,
      ),
    },
    strict,
  ),
)

export type CompressResponseParameters = Static<typeof compressResponseShape.schema>
