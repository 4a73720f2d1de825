import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import { json, nullable } from '../http/schemas.ts'
import { loadBalancingLimits as limits } from './limits.ts'

/** Clients may leave it out or send null for its default. */
export const some = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

export const description = some(Type.String({ maxLength: limits.lbDescriptionCharactersMax }))
export const share = Type.Number({ minimum: 0, maximum: 1 })
export const port = Type.Integer({ minimum: 0, maximum: 65_535 })

/** Clients may send resources as they received them; these members cannot be set. */
export const ignored = {
  id: Type.Optional(json),
  created_on: Type.Optional(json),
  modified_on: Type.Optional(json),
}

/** The members of an input that are neither absent nor null. */
export type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], null | undefined> }

export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<T>
}
