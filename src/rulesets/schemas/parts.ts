import { Type } from 'typebox'

/** Unknown members are refused. */
export const strict = { additionalProperties: false } as const

export const id = Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 lower-case hex digits' })
export const name = Type.String({ minLength: 1 })
export const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ minimum, maximum })

/** Exactly one of the possible members. */
export const oneOf = { ...strict, minProperties: 1, maxProperties: 1 } as const
/** At least one member. */
export const someOf = { ...strict, minProperties: 1 } as const
/** At least one entry. */
export const filled = { minItems: 1 } as const

/** Evaluated for each request. */
export const valueExpression = Type.String({
  minLength: 1,
  description: 'a value expression of the rules language',
})
