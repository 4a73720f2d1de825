import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import { rulesetSchemas } from '../rulesets/index.ts'
import { logSchemas } from './openapi-log-schemas.ts'
import { securitySchemas } from './openapi-security.ts'
import { traceSchemas } from './openapi-trace.ts'
import { whatIfSchemas } from './openapi-what-if.ts'

/** Schemas of what the API answers and takes, by their names in the OpenAPI document. */

const id = Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 lower-case hex digits' })
const time = Type.String({ format: 'date-time' })
const optional = Type.Optional
const text = Type.String()
const json = Type.Unknown()
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const entry = Type.Object({
  code: optional(Type.Integer({ description: 'docs/errors.md lists the codes' })),
  message: text,
  source: optional(
    Type.Object({ pointer: Type.String({ description: 'JSON pointer into the request body' }) }),
  ),
  error_chain: optional(Type.Array(Type.Object({ code: Type.Integer(), message: text }))),
})

const policy = Type.Object({
  id,
  effect: Type.Enum(['allow', 'deny']),
  permission_groups: Type.Array(Type.Object({ id, name: text })),
  resources: Type.Object(
    {},
    { description: 'Resource name → `*`, or an object of the zones inside an account' },
  ),
})

const blocks = optional(Type.Array(text, { description: 'IP addresses and CIDR blocks' }))

const crsRelease = Type.Object({
  version: Type.String({ description: 'of the managed rulesets' }),
  crs_version: text,
  imported_on: time,
  origin: text,
  active: Type.Boolean({ description: 'is it what `latest` means?' }),
})

const comparedRule = Type.Object({
  id: Type.Integer({ description: 'its number in the CRS' }),
  file: text,
  message: text,
  severity: text,
  paranoia_level: Type.Integer({ description: '0 when it belongs to no level' }),
  tags: Type.Array(text),
})

const token = {
  id,
  name: text,
  status: Type.Enum(['active', 'disabled', 'expired']),
  issued_on: time,
  modified_on: time,
  last_used_on: optional(time),
  not_before: optional(time),
  expires_on: optional(time),
  policies: Type.Array(policy),
  condition: optional(Type.Object({ request_ip: optional(Type.Object({ in: blocks, not_in: blocks })) })),
}

const itemContent = {
  ip: optional(Type.String({ description: 'in lists of kind `ip`' })),
  hostname: optional(Type.Object({ url_hostname: text }, { description: 'in lists of kind `hostname`' })),
  asn: optional(Type.Integer({ description: 'in lists of kind `asn`' })),
  redirect: optional(Type.Object({}, { description: 'in lists of kind `redirect`' })),
  comment: optional(text),
}

const page = Type.Object({
  page: optional(Type.Integer()),
  per_page: optional(Type.Integer()),
  count: optional(Type.Integer()),
  total_count: optional(Type.Integer()),
  total_pages: optional(Type.Integer()),
  cursor: optional(text),
  cursors: optional(Type.Object({ before: optional(text), after: optional(text) })),
})

export const schemas: Readonly<Record<string, TSchema>> = {
  ErrorEntry: entry,
  Message: Type.Object({ code: Type.Integer(), message: text, type: optional(Type.Null()) }),
  PageInfo: page,
  Failure: Type.Object({
    result: Type.Null(),
    success: Type.Literal(false),
    errors: Type.Array(entry),
    messages: Type.Array(json),
  }),
  Id: Type.Object({ id }),
  Account: Type.Object({ id, name: text, type: text, created_on: time, settings: Type.Object({}) }),
  CrsRule: Type.Object({
    id: Type.Integer({ description: 'its number' }),
    version: Type.String({ description: 'of the managed rulesets' }),
    crs_version: text,
    file: text,
    line: Type.Integer({ description: 'where it begins in the file, from 1' }),
    message: text,
    severity: Type.String({ description: 'in upper case; empty when it has none' }),
    paranoia_level: Type.Integer({ description: '0 for none' }),
    tags: Type.Array(text),
    text: Type.String({ description: 'as written, in SecLang, with its chain' }),
    upstream_url: nullable(text),
  }),
  Zone: Type.Object({
    id,
    name: text,
    status: Type.Literal('active'),
    paused: Type.Boolean(),
    type: Type.Literal('full'),
    origin: Type.Object({ url: Type.String({ description: 'where requests go; Sluice’s own' }) }),
    account: Type.Object({ id, name: text }),
    owner: Type.Object({ id, name: text, type: text }),
    permissions: Type.Array(text),
    plan: Type.Object({}),
    meta: Type.Object({}),
    development_mode: Type.Integer(),
    name_servers: Type.Array(text),
    original_name_servers: nullable(Type.Array(text)),
    original_registrar: nullable(text),
    original_dnshost: nullable(text),
    created_on: time,
    modified_on: time,
    activated_on: nullable(time),
  }),
  Rule: rulesetSchemas.rule,
  RulesetSummary: rulesetSchemas.summary,
  Ruleset: rulesetSchemas.ruleset,
  RulesetInput: rulesetSchemas.createBody,
  RulesetUpdate: rulesetSchemas.replaceBody,
  EntryPointUpdate: rulesetSchemas.entryPointBody,
  RuleInput: rulesetSchemas.ruleCreate,
  RuleUpdate: rulesetSchemas.ruleUpdate,
  RateLimit: rulesetSchemas.rateLimit,
  Position: rulesetSchemas.position,
  ...Object.fromEntries(
    Object.entries(rulesetSchemas.parameters).map(([action, schema]) => [`Parameters_${action}`, schema]),
  ),
  List: Type.Object({
    id,
    name: text,
    description: text,
    kind: Type.Enum(['ip', 'hostname', 'asn', 'redirect']),
    num_items: Type.Integer(),
    num_referencing_filters: Type.Integer(),
    created_on: time,
    modified_on: time,
  }),
  ListItem: Type.Object({ id, ...itemContent, created_on: time, modified_on: time }),
  ListItemsInput: Type.Array(Type.Object(itemContent)),
  ListItemIds: Type.Object({ items: Type.Array(Type.Object({ id })) }),
  OperationId: Type.Object({ operation_id: id }),
  ListOperation: Type.Object({
    id,
    status: Type.Enum(['pending', 'running', 'completed', 'failed']),
    completed: optional(time),
    error: optional(text),
  }),
  EdgeAddress: Type.Object({
    url: nullable(Type.String({ description: 'null when the edge runs in another process' })),
  }),
  OriginCheck: Type.Object({
    reachable: Type.Boolean(),
    status: nullable(Type.Integer({ description: 'of its answer to GET /' })),
    message: Type.String({ description: 'for a person' }),
  }),
  CrsRelease: crsRelease,
  CrsComparison: Type.Object({
    from: crsRelease,
    to: crsRelease,
    added: Type.Array(comparedRule),
    changed: Type.Array(
      Type.Object({
        id: Type.Integer(),
        file: text,
        message: text,
        members: Type.Array(text, {
          description: 'what is different: message, severity, paranoia_level, tags, text',
        }),
        changes: Type.Object({}, { description: 'of each of these, `from` and `to`' }),
      }),
    ),
    removed: Type.Array(comparedRule),
  }),
  CrsUpstream: Type.Object({
    crs_version: nullable(Type.String({ description: 'null when upstream did not answer' })),
    checked_on: time,
    error: nullable(text),
  }),
  AccountPermissions: Type.Object({
    account: Type.Array(text, { description: 'names of permission groups' }),
    zones: Type.Array(text, { description: 'on every zone of the account, those to come included' }),
    user: Type.Array(text, { description: 'on the user behind the credentials' }),
  }),
  ZonePermissions: Type.Object({
    zone: Type.Array(text, { description: 'names of permission groups' }),
  }),

  Shadow: Type.Object({
    enabled: Type.Boolean(),
    version: Type.String({ description: '`latest` or a version of the managed ruleset' }),
    paranoia_level: Type.Integer({ minimum: 1, maximum: 4 }),
    score_threshold: Type.Integer({ minimum: 1 }),
    sample_rate: Type.Number({ minimum: 0, maximum: 1 }),
    modified_on: time,
  }),
  ...logSchemas,
  ...securitySchemas,
  ...whatIfSchemas,
  ...traceSchemas,
  Token: Type.Object(token),
  CreatedToken: Type.Object({ ...token, value: Type.String({ description: 'the secret, shown this once' }) }),
  TokenValue: Type.String({ description: 'the new secret, shown this once' }),
  TokenStatus: Type.Object({
    id,
    status: token.status,
    not_before: optional(time),
    expires_on: optional(time),
  }),
  PermissionGroup: Type.Object({
    id,
    name: text,
    scopes: Type.Array(text),
    category: text,
    is_selectable: Type.Boolean({ description: 'may the credentials of the request give it to a token?' }),
  }),
  AuditLog: Type.Object({
    id,
    when: time,
    action: Type.Object({ type: text, result: Type.Boolean() }),
    actor: Type.Object({ id: text, email: optional(text), ip: text, type: text }),
    interface: text,
    metadata: Type.Object({}),
    owner: Type.Object({ id }),
    resource: Type.Object({ id: text, type: text }),
    oldValue: text,
    oldValueJson: json,
    newValue: text,
    newValueJson: json,
  }),
}
