import { Type } from '@fastify/type-provider-typebox'
import {
  type CustomPage,
  type CustomPageId,
  customPageIds,
  customPageStates,
  requiredTokens,
} from '../../model/custom-page.ts'
import { nullable, strict, text, time, type Wire } from '../http/schemas.ts'
import { customPageLimits } from './limits.ts'

export const customPageSchema = Type.Object({
  id: Type.Enum([...customPageIds]),
  description: text,
  required_tokens: Type.Array(text),
  state: Type.Enum([...customPageStates]),
  url: nullable(text),
  created_on: nullable(time),
  modified_on: nullable(time),
})

export const customPageBody = Type.Object(
  {
    state: Type.Enum([...customPageStates]),
    url: Type.Optional(nullable(Type.String({ maxLength: customPageLimits.pageUrlBytesMax }))),
  },
  strict,
)

/** @param page absent: it was never set */
export function customPageToWire(
  id: CustomPageId,
  page: CustomPage | undefined,
): Wire<typeof customPageSchema> {
  return {
    id,
    description: descriptions[id],
    required_tokens: requiredTokens[id].slice(0, 1),
    state: page?.state ?? 'default',
    url: page?.url ?? null,
    created_on: page?.createdOn ?? null,
    modified_on: page?.modifiedOn ?? null,
  }
}

const descriptions: Readonly<Record<CustomPageId, string>> = {
  basic_challenge: 'Basic Challenge',
  country_challenge: 'Country Challenge',
  ip_block: 'IP Block',
  managed_challenge: 'Managed Challenge',
  ratelimit_block: 'Rate Limit Block',
  under_attack: 'JavaScript Challenge',
  waf_block: 'WAF Block',
  waf_challenge: 'WAF Challenge',
  '500_errors': '500 Class Errors',
  '1000_errors': '1000 Class Errors',
}
