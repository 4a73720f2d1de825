import { type Static, Type } from '@fastify/type-provider-typebox'
import type { LoadBalancerRule, Pool } from '../../model/load-balancing.ts'
import { checkCondition } from '../../rulesets/index.ts'
import { accepted } from '../http/errors.ts'
import { optional, strict, text } from '../http/schemas.ts'
import { loadBalancingLimits as limits } from './limits.ts'
import { requireValue } from './refusals.ts'
import { routingFrom, routingMembers, routingSchema, routingToWire } from './routing.ts'
import { given, some } from './schemas.ts'

const fixedResponse = Type.Object(
  {
    status_code: some(Type.Integer({ minimum: 200, maximum: 599 })),
    content_type: some(Type.String({ maxLength: limits.lbRuleTextCharactersMax })),
    location: some(Type.String({ maxLength: limits.lbRuleTextCharactersMax })),
    message_body: some(Type.String({ maxLength: limits.lbRuleTextCharactersMax })),
  },
  strict,
)

const rule = Type.Object(
  {
    name: some(Type.String({ maxLength: limits.lbNameCharactersMax })),
    condition: some(Type.String({ maxLength: limits.lbConditionCharactersMax })),
    disabled: some(Type.Boolean()),
    priority: some(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    terminates: some(Type.Boolean()),
    fixed_response: some(fixedResponse),
    overrides: some(Type.Object(routingMembers, strict)),
  },
  strict,
)

export const ruleMembers = { rules: some(Type.Array(rule, { maxItems: limits.lbRulesMax })) }

export const ruleSchema = {
  rules: optional(
    Type.Array(
      Type.Object({
        name: optional(text),
        condition: optional(text),
        disabled: optional(Type.Boolean()),
        priority: optional(Type.Integer()),
        terminates: optional(Type.Boolean()),
        fixed_response: optional(
          Type.Object({
            status_code: optional(Type.Integer()),
            content_type: optional(text),
            location: optional(text),
            message_body: optional(text),
          }),
        ),
        overrides: optional(Type.Partial(Type.Object(routingSchema))),
      }),
    ),
  ),
}

type RuleInput = Static<typeof rule>

/** @throws ApiError 400 */
export function rulesFrom(
  rules: readonly RuleInput[] | undefined,
  pools: readonly Pool[],
): { readonly rules?: readonly LoadBalancerRule[] } {
  if (rules === undefined || rules.length === 0) return {}
  return { rules: rules.map((input, at) => ruleFrom(input, pools, `/rules/${at}`)) }
}

function ruleFrom(input: RuleInput, pools: readonly Pool[], pointer: string): LoadBalancerRule {
  const { fixed_response: response, overrides, ...same } = given(input)
  accepted(checkCondition(same.condition ?? '', `${pointer}/condition`))
  const both = response !== undefined && overrides !== undefined && Object.keys(given(overrides)).length > 0
  requireValue(both ? 'a fixed response goes to no pool' : undefined, 'an object', `${pointer}/overrides`)
  return {
    ...same,
    ...(response === undefined ? {} : { fixedResponse: responseFrom(response, `${pointer}/fixed_response`) }),
    ...(overrides === undefined ? {} : { overrides: routingFrom(overrides, pools, `${pointer}/overrides`) }),
  }
}

function responseFrom(
  input: Static<typeof fixedResponse>,
  pointer: string,
): NonNullable<LoadBalancerRule['fixedResponse']> {
  const { status_code, content_type, message_body, location } = given(input)
  for (const [name, value] of Object.entries({ content_type, location })) {
    const isVisible = value === undefined || /^[\x20-\x7e]*$/.test(value)
    const fault = isVisible ? undefined : 'it has characters that a header must not have'
    requireValue(fault, '***', `${pointer}/${name}`)
  }
  return given({
    statusCode: status_code,
    contentType: content_type,
    messageBody: message_body,
    location,
  })
}

export function rulesToWire(rules: readonly LoadBalancerRule[]) {
  return rules.map(({ fixedResponse: response, overrides, ...same }) => ({
    ...same,
    ...(response === undefined
      ? {}
      : {
          fixed_response: given({
            status_code: response.statusCode,
            content_type: response.contentType,
            location: response.location,
            message_body: response.messageBody,
          }),
        }),
    ...(overrides === undefined ? {} : { overrides: routingToWire(overrides) }),
  }))
}
