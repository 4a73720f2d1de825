import { type Static, Type } from 'typebox'
import { rulesetLimits } from '../limits.ts'
import { rulesetCodes } from '../problems.ts'
import { name, oneOf, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** An object whose members are checked later, when its type is known. */
const anyObject = Type.Object({})

/** Members that every rule may have. */
export const definitionMembers = {
  action: name,
  expression: name,
  description: Type.Optional(Type.String({ maxLength: rulesetLimits.textCharactersMax })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: rulesetLimits.textCharactersMax })),
}

/** Members that clients send back as read; they are accepted and ignored. */
export const outputMembers = {
  version: Type.Optional(Type.Unknown()),
  last_updated: Type.Optional(Type.Unknown()),
  categories: Type.Optional(Type.Unknown()),
  score_threshold: Type.Optional(Type.Unknown()),
}

export const positionShape = new Shape(
  Type.Object(
    {
      before: Type.Optional(Type.String({ description: 'a rule id; empty: before all others' })),
      after: Type.Optional(Type.String({ description: 'a rule id; empty: after all others' })),
      index: Type.Optional(Type.Integer({ description: 'from 1, in the resulting list' })),
    },
    oneOf,
  ),
  { code: rulesetCodes.positionInvalid },
)

const entryMembers = {
  id: Type.Optional(Type.String()),
  ...definitionMembers,
  action: Type.Optional(Type.String()),
  expression: Type.Optional(Type.String()),
  action_parameters: Type.Optional(anyObject),
  logging: Type.Optional(anyObject),
  ratelimit: Type.Optional(anyObject),
  exposed_credential_check: Type.Optional(anyObject),
  ...outputMembers,
}

/** Any entry of a list of rules: a definition, or a reference to an existing rule. */
export const ruleEntryShape = new Shape(Type.Object(entryMembers, strict))

/** The body of POST and PATCH of a rule. */
export const positionedRuleShape = new Shape(
  Type.Object({ ...entryMembers, position: Type.Optional(anyObject) }, strict),
)

/** Members of every definition of a rule, with any action. */
export const ruleDefinitionShape = new Shape(Type.Object(definitionMembers))

export type RuleEntry = Static<typeof ruleEntryShape.schema>
export type PositionedRule = Static<typeof positionedRuleShape.schema>
export type Position = Static<typeof positionShape.schema>

/** Members of a definition besides those of the action. */
export const definitionNames: ReadonlySet<string> = new Set([
  ...Object.keys(definitionMembers),
  'action_parameters',
  'logging',
  'ratelimit',
  'exposed_credential_check',
])
