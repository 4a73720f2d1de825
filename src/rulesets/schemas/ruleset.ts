import { type Static, type TSchema, Type } from 'typebox'
import { phases } from '../../model/resource.ts'
import { rulesetLimits } from '../limits.ts'
import { strict } from './parts.ts'
import { Shape } from './shape.ts'

const description = Type.Optional(Type.String({ default: '', maxLength: rulesetLimits.textCharactersMax }))

/** Body of POST of a ruleset. @param rules schema of the list's entries */
export const createBody = <R extends TSchema>(rule: R) =>
  Type.Object(
    {
      kind: Type.String({ minLength: 1, description: '`custom`, `root` (of an account) or `zone`' }),
      name: Type.String({ minLength: 1, maxLength: rulesetLimits.textCharactersMax }),
      phase: Type.String({ minLength: 1, description: `one of ${phases.join(', ')}` }),
      description,
      rules: Type.Optional(Type.Array(rule)),
    },
    strict,
  )

/**
 * Body of PUT of a ruleset by id: absent members keep their value. The last four are read-only; clients send them
 * back.
 */
export const replaceBody = <R extends TSchema>(rule: R) =>
  Type.Object(
    {
      kind: Type.Optional(Type.String({ description: 'unchanged' })),
      name: Type.Optional(Type.String({ description: 'unchanged' })),
      phase: Type.Optional(Type.String({ description: 'unchanged' })),
      description,
      rules: Type.Optional(Type.Array(rule)),
      id: Type.Optional(Type.Unknown()),
      version: Type.Optional(Type.Unknown()),
      last_updated: Type.Optional(Type.Unknown()),
      source: Type.Optional(Type.Unknown()),
    },
    strict,
  )

/** Body of PUT of an entry point by phase. */
export const entryPointBody = <R extends TSchema>(rule: R) =>
  Type.Object(
    {
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: rulesetLimits.textCharactersMax,
          description: 'of a new entry point',
        }),
      ),
      description,
      rules: Type.Optional(Type.Array(rule)),
    },
    strict,
  )

const anyObject = Type.Object({})
export const createShape = new Shape(createBody(anyObject))
export const replaceShape = new Shape(replaceBody(anyObject))
export const entryPointShape = new Shape(entryPointBody(anyObject))

export type CreateBody = Static<typeof createShape.schema>
export type ReplaceBody = Static<typeof replaceShape.schema>
