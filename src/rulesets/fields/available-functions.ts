import type { Phase } from '../../model/resource.ts'
import type { ExpressionUse } from './expression-context.ts'

/** Where a function is available: in these phases, in expressions of these uses. Absent: in all. */
interface FunctionAvailability {
  readonly phases?: readonly Phase[]
  readonly uses?: readonly ExpressionUse[]
  /** The end of the sentence `… is available in`. */
  readonly where: string
}

const headerTransforms = ['http_request_late_transform', 'http_response_headers_transform'] as const
export const transformPhases: readonly Phase[] = ['http_request_transform', ...headerTransforms]
export const rewriteUses: readonly ExpressionUse[] = ['rewrite-uri', 'rewrite-header']

const everywhere: readonly FunctionAvailability[] = [{ where: 'every phase' }]
const customRules: FunctionAvailability = { phases: ['http_request_firewall_custom'], where: 'custom rules' }
const rateLimits: FunctionAvailability = { phases: ['http_ratelimit'], where: 'rate limiting rules' }
const transforms: FunctionAvailability = { phases: transformPhases, where: 'transform rules' }
const headers: FunctionAvailability = {
  phases: headerTransforms,
  where: 'request and response header transform rules',
}
const responseHeaders: FunctionAvailability = {
  phases: ['http_response_headers_transform'],
  where: 'response header transform rules',
}
const rewrites: FunctionAvailability = {
  phases: transformPhases,
  uses: rewriteUses,
  where: 'rewrite expressions of transform rules',
}
const uriRewrites: FunctionAvailability = {
  phases: ['http_request_transform'],
  uses: ['rewrite-uri'],
  where: 'rewrite expressions of URL rewrites',
}
const redirectTargets: FunctionAvailability = { uses: ['redirect'], where: 'targets of dynamic redirects' }
const filters: FunctionAvailability = { uses: ['filter', 'counting'], where: 'filter expressions' }

/**
 * Every available function, and where it is available.
 * @source rules language functions; rules-language reference, "Function availability by phase"
 */
export const functionAvailabilities: ReadonlyMap<string, readonly FunctionAvailability[]> = new Map([
  ['any', everywhere],
  ['all', everywhere],
  ['lower', everywhere],
  ['upper', everywhere],
  ['len', everywhere],
  ['concat', everywhere],
  ['starts_with', everywhere],
  ['ends_with', everywhere],
  ['substring', everywhere],
  ['url_decode', everywhere],
  ['remove_bytes', everywhere],
  ['lookup_json_string', everywhere],
  ['lookup_json_integer', everywhere],
  ['has_key', everywhere],
  ['has_value', everywhere],
  ['coalesce', everywhere],
  ['hash_in_range', everywhere],
  ['cidr', [customRules, rateLimits]],
  ['cidr6', [customRules, rateLimits]],
  ['decode_base64', [transforms, customRules, rateLimits]],
  ['join', [transforms, customRules]],
  ['split', [responseHeaders]],
  ['encode_base64', [headers]],
  ['sha256', [headers]],
  ['regex_replace', [rewrites, redirectTargets]],
  ['wildcard_replace', [uriRewrites, redirectTargets]],
  ['to_string', [rewrites, redirectTargets]],
  ['remove_query_args', [rewrites]],
  ['uuidv4', [rewrites]],
  ['is_timed_hmac_valid_v0', [filters]],
])

/** The functions that are available in one context. */
export function availableFunctions(phase: Phase, use: ExpressionUse): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [name, availabilities] of functionAvailabilities) {
    if (availabilities.some(availability => allows(availability, phase, use))) names.add(name)
  }
  return names
}

/** Where a function is available, in words; undefined for an unknown name. */
export function functionAvailability(name: string): string | undefined {
  return functionAvailabilities
    .get(name)
    ?.map(({ where }) => where)
    .join(' and ')
}

function allows({ phases, uses }: FunctionAvailability, phase: Phase, use: ExpressionUse): boolean {
  return (phases?.includes(phase) ?? true) && (uses?.includes(use) ?? true)
}
