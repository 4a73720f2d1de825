import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type AccessRule, accessModes, accessTargets } from '../../model/access-rule.ts'
import { accountOf, zoneOf } from '../http/context.ts'
import { describedText, id, nullable, optional, strict, text, time, type Wire } from '../http/schemas.ts'
import { accessRuleRequestLimits } from './limits.ts'

const mode = Type.Enum([...accessModes])
const target = Type.Enum([...accessTargets])

export const accessRuleSchema = Type.Object({
  id,
  notes: text,
  allowed_modes: Type.Array(mode),
  mode,
  configuration: Type.Object({ target, value: text }),
  created_on: time,
  modified_on: time,
  scope: Type.Object({
    id,
    name: text,
    type: Type.Enum(['organization', 'zone'], { description: '`organization`: all zones of the account' }),
  }),
})

const limited = Type.String({ maxLength: accessRuleRequestLimits.accessRuleCharactersMax })
const configuration = Type.Object({ target, value: limited }, strict)

export const accessRuleBody = Type.Object({ mode, configuration, notes: optional(nullable(limited)) }, strict)
/** The configuration never changes; clients may echo it. */
export const accessRulePatch = Type.Object(
  {
    mode: optional(mode),
    configuration: optional(configuration),
    notes: optional(nullable(limited)),
  },
  strict,
)
export const accessRuleListQuery = Type.Object({
  mode: optional(mode),
  'configuration.target': optional(target),
  'configuration.value': optional(limited),
  notes: optional(describedText('part of the notes, in any case')),
  match: optional(Type.Enum(['any', 'all'])),
  order: optional(Type.Enum(['configuration.target', 'configuration.value', 'mode'])),
  direction: optional(Type.Enum(['asc', 'desc'])),
  page: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  per_page: optional(Type.Integer({ minimum: 1, maximum: accessRuleRequestLimits.accessRulesPerPageMax })),
})

export type AccessRuleInput = Static<typeof accessRuleBody>
export type AccessRulePatch = Static<typeof accessRulePatch>
export type AccessRuleListQuery = Static<typeof accessRuleListQuery>

/** @param request of the account or the zone of the rule */
export function accessRuleToWire(rule: AccessRule, request: FastifyRequest): Wire<typeof accessRuleSchema> {
  const { id, notes, mode, target, value, createdOn, modifiedOn, scope } = rule
  const [owner, type] =
    scope.kind === 'zone'
      ? ([zoneOf(request), 'zone'] as const)
      : ([accountOf(request), 'organization'] as const)
  return {
    id,
    notes,
    allowed_modes: accessModes,
    mode,
    configuration: { target, value },
    created_on: createdOn,
    modified_on: modifiedOn,
    scope: { id: owner.id, name: owner.name, type },
  }
}
