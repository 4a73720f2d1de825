import { type Static, Type } from '@fastify/type-provider-typebox'
import type { TObjectOptions, TSchema } from 'typebox'

/** Parts that schemas of several resources share. */

export const strict = { additionalProperties: false } as const
export const optional = Type.Optional
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const id = Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 lower-case hex digits' })
export const time = Type.String({ format: 'date-time' })
export const text = Type.String()
export const json = Type.Unknown()
export const count = Type.Integer({ minimum: 0 })

export const describedText = (description: string) => Type.String({ description })
export const describedCount = (description: string) => Type.Integer({ minimum: 0, description })
export const describedShare = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/**
 * An object with members of any name. TypeBox drops `maxLength` of a record's key, so the length of names is checked
 * separately. A name with a line break matches no key and is refused as unknown.
 */
export const record = <T extends TSchema>(
  nameCharactersMax: number,
  value: T,
  options: TObjectOptions = {},
) =>
  Type.Record(Type.String(), value, {
    ...options,
    ...strict,
    propertyNames: Type.String({ maxLength: nameCharactersMax }),
  })

/** Result of a deletion. */
export const idSchema = Type.Object({ id })

/** The value that a schema describes, as routes answer it. */
export type Wire<S extends TSchema> = DeepReadonly<Static<S>>

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T
