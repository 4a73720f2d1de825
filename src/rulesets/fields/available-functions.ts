import type { Phase } from '../../model/resource.ts'
import type { ExpressionUse } from './expression-place.ts'

/** Where a function may be called: in these phases, by expressions of these kinds. Absent: in all. */
interface FunctionPlace {
  readonly phases?: readonly Phase[]
  readonly uses?: readonly ExpressionUse[]
  /** As a sentence ends: `… is available in`. */
  readonly where: string
}

const headerTransforms = ['http_request_late_transform', 'http_response_headers_transform'] as const
export const transformPhases: readonly Phase[] = ['http_request_transform', ...headerTransforms]
export const rewriteUses: readonly ExpressionUse[] = ['rewrite-uri', 'rewrite-header']

const everywhere: readonly FunctionPlace[] = [{ where: 'every phase' }]
const customRules: FunctionPlace = { phases: ['http_request_firewall_custom'], where: 'custom rules' }
const rateLimits: FunctionPlace = { phases: ['http_ratelimit'], where: 'rate limiting rules' }
const transforms: FunctionPlace = { phases: transformPhases, where: 'transform rules' }
const headers: FunctionPlace = {
  phases: headerTransforms,
  where: 'request and response header transform rules',
}
const responseHeaders: FunctionPlace = {
  phases: ['http_response_headers_transform'],
  where: 'response header transform rules',
}
const rewrites: FunctionPlace = {
  phases: transformPhases,
  uses: rewriteUses,
  where: 'rewrite expressions of transform rules',
}
const uriRewrites: FunctionPlace = {
  phases: ['http_request_transform'],
  uses: ['rewrite-uri'],
  where: 'rewrite expressions of URL rewrites',
}
const redirectTargets: FunctionPlace = { uses: ['redirect'], where: 'targets of dynamic redirects' }
const filters: FunctionPlace = { uses: ['filter', 'counting'], where: 'filter expressions' }

/**
 * Every function that may be called somewhere, and where.
 * @source rules language functions; rules-language reference, "Function availability by phase"
 */
export const functionPlaces: ReadonlyMap<string, readonly FunctionPlace[]> = new Map([
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

/** The functions that may be called in one place. */
export function availableFunctions(phase: Phase, use: ExpressionUse): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [name, places] of functionPlaces) {
    if (places.some(place => allows(place, phase, use))) names.add(name)
  }
  return names
}

/** Where a function may be called, in words; undefined for a name that is none of them. */
export function functionAvailability(name: string): string | undefined {
  return functionPlaces
    .get(name)
    ?.map(({ where }) => where)
    .join(' and ')
}

function allows({ phases, uses }: FunctionPlace, phase: Phase, use: ExpressionUse): boolean {
  return (phases?.includes(phase) ?? true) && (uses?.includes(use) ?? true)
}
