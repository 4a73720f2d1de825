import { type Static, Type } from 'typebox'
import { rulesetLimits } from '../limits.ts'
import { filled, id, name, someOf, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** The engine's collections, and whether their values have keys. */
const collections = {
  keyed: [
    'ARGS',
    'ARGS_GET',
    'ARGS_GET_NAMES',
    'ARGS_NAMES',
    'ARGS_POST',
    'ARGS_POST_NAMES',
    'FILES',
    'FILES_NAMES',
    'MULTIPART_PART_HEADERS',
    'REQUEST_COOKIES',
    'REQUEST_COOKIES_NAMES',
    'REQUEST_HEADERS',
    'REQUEST_HEADERS_NAMES',
    'RESPONSE_HEADERS',
    'RESPONSE_HEADERS_NAMES',
  ],
  single: [
    'QUERY_STRING',
    'REQUEST_BASENAME',
    'REQUEST_BODY',
    'REQUEST_FILENAME',
    'REQUEST_LINE',
    'REQUEST_METHOD',
    'REQUEST_PROTOCOL',
    'REQUEST_URI',
    'REQUEST_URI_RAW',
    'RESPONSE_BODY',
    'RESPONSE_STATUS',
  ],
} as const

export const keyedCollections: ReadonlySet<string> = new Set(collections.keyed)

/** A value that some managed rules do not inspect. */
const target = Type.Object(
  {
    rule: Type.Optional(id),
    tag: Type.Optional(name),
    ruleset: Type.Optional(id),
    collection: Type.Enum([...collections.keyed, ...collections.single]),
    key: Type.Optional(name),
    key_pattern: Type.Optional(name),
    json_path: Type.Optional(name),
  },
  {
    ...strict,
    description:
      'Exactly one of `rule` and `tag`; at most one of `key`, `key_pattern` and `json_path`. Without `ruleset`: in every managed ruleset of the phase.',
  },
)

/** @source Cloudflare API, skip rule; `targets` is specific to Sluice */
export const skipShape = new Shape(
  Type.Object(
    {
      ruleset: Type.Optional(Type.Literal('current')),
      phase: Type.Optional(Type.Literal('current')),
      phases: Type.Optional(
        Type.Array(
          Type.Enum(['http_ratelimit', 'http_request_sbfm', 'http_request_firewall_managed']),
          filled,
        ),
      ),
      products: Type.Optional(
        Type.Array(
          Type.Enum(['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown']),
          filled,
        ),
      ),
      rulesets: Type.Optional(Type.Array(id, filled)),
      rules: Type.Optional(
        Type.Record(Type.String(), Type.Array(id, filled), {
          minProperties: 1,
          description: 'Managed ruleset id → ids of its rules',
        }),
      ),
      targets: Type.Optional(Type.Array(target, { ...filled, maxItems: rulesetLimits.skipTargetsMax })),
    },
    someOf,
  ),
)

export type SkipParameters = Static<typeof skipShape.schema>
export type SkippedProduct = NonNullable<SkipParameters['products']>[number]
export type SkipTarget = Static<typeof target>

/** For `skip` rules: whether matching requests are recorded. */
export const loggingShape = new Shape(Type.Object({ enabled: Type.Boolean() }, strict))
