import { type Json, type JsonObject, phases, rulesetPhases } from '../../model/resource.ts'
import { areasOfPhase } from '../access/permissions/check.ts'
import { type Area, groupOf } from '../access/permissions/groups.ts'
import { components } from './components.ts'
import { type Operation, tags } from './operation.ts'

/** A route of the router, with its operation. */
export interface DescribedRoute {
  readonly method: string
  /** With `:name` for parameters. */
  readonly url: string
  readonly schema: { readonly body?: unknown; readonly querystring?: unknown } | undefined
  readonly operation: Operation
}

/**
 * The OpenAPI 3.1 document of these routes. The schemas that check queries and bodies also describe them; named schemas
 * become references.
 */
export function openApiDocument(routes: readonly DescribedRoute[]): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = pathOf(route.url)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describe(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: '4',
      summary: 'An edge firewall and log pipeline that is driven with Cloudflare’s API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({
      name,
      description: name === 'Rulesets' ? `${description}\n\n${phasePermissions()}` : description,
    })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token' },
        email: { type: 'apiKey', in: 'header', name: 'X-Auth-Email' },
        key: { type: 'apiKey', in: 'header', name: 'X-Auth-Key' },
        session: { type: 'apiKey', in: 'cookie', name: 'sluice', description: 'A session of a browser' },
      },
      responses: {
        Failure: {
          description: 'Request refused; `errors` lists the reasons',
          content: { 'application/json': { schema: reference('Failure') } },
        },
      },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, plain(schema, name)]),
      ),
    },
  }
}

/** `/zones/:zone_id` → `/zones/{zone_id}`. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

/** Names of the permission groups that let a request in: any one of them, where there are several. */
export function permissionsText(operation: Operation): string {
  const { need } = operation
  if (need === 'open') return 'no credentials'
  if (need === 'known') return 'any valid credentials'
  if (need === 'phase') return 'the permission for the phase of the ruleset'
  return groupsFor(need[0], need[1]).join(' or ')
}

/** Which pair of permission groups each phase belongs to, as CommonMark. */
function phasePermissions(): string {
  const lists = (['zone', 'account'] as const).map(scope => {
    const phasesOf = new Map<string, string[]>()
    for (const phase of rulesetPhases) {
      const groups = areasOfPhase(scope, phase).map(area => groupOf(area, 'read').name.replace(/ Read$/, ''))
      const key = groups.join(' and ')
      phasesOf.set(key, [...(phasesOf.get(key) ?? []), phase])
    }
    const lines = [...phasesOf].map(([groups, own]) => `- ${groups}: ${own.join(', ')}`)
    return `Permissions for the phases of ${scope}s, each as Read or Write:\n\n${lines.join('\n')}`
  })
  return lists.join('\n\n')
}

function groupsFor(area: Area, level: 'read' | 'write'): string[] {
  const write = groupOf(area, 'write').name
  return level === 'write' ? [write] : [...new Set([groupOf(area, 'read').name, write])]
}

function describe({ method, url, schema, operation }: DescribedRoute): JsonObject {
  const { need, example } = operation
  const body = operation.body ?? schema?.body
  const parameters = [
    ...pathParameters(url),
    ...queryParameters(schema?.querystring),
    ...(operation.conditional ? [ifMatch] : []),
  ]
  const canBeDry = parameters.some(one => (one as JsonObject)['name'] === 'dry_run')
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `Needs ${permissionsText(operation)}${operation.alsoNeeds === undefined ? '' : `, and ${operation.alsoNeeds}`}.`,
    ...(typeof need === 'object' ? { 'x-api-token-group': groupsFor(...need) } : {}),
    security: need === 'open' ? [] : [{ token: [] }, { email: [], key: [] }, { session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined || method === 'GET'
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: plain(body), ...(example === undefined ? {} : { example }) },
            },
          },
        }),
    responses: {
      ...successOf(operation, canBeDry),
      ...(need === 'open' ? {} : { '4XX': { $ref: '#/components/responses/Failure' } }),
      '5XX': { $ref: '#/components/responses/Failure' },
    },
  }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Versions that the change is based on, such as "7"; if another version is current, the change is refused with 412',
  schema: { type: 'string' },
}

const entityTag = {
  ETag: { description: 'The version of the ruleset, for If-Match', schema: { type: 'string' } },
}

/** @param canBeDry a dry run has no result */
function successOf({ answers, result, tagged }: Operation, canBeDry: boolean): JsonObject {
  if (answers !== undefined) return plain(answers) as JsonObject
  const isList = (result as { readonly type?: unknown } | undefined)?.type === 'array'
  const one = plain(result ?? {})
  const schema: Json = canBeDry ? { anyOf: [one, { type: 'null' }] } : one
  const content = { 'application/json': { schema: envelope(schema, isList) } }
  return { 200: { description: 'Done', ...(tagged ? { headers: entityTag } : {}), content } }
}

function envelope(result: Json, list: boolean): JsonObject {
  return {
    type: 'object',
    required: ['result', 'success', 'errors', 'messages'],
    properties: {
      result,
      success: { const: true },
      errors: { type: 'array', maxItems: 0 },
      messages: { type: 'array', items: reference('Message') },
      ...(list ? { result_info: reference('PageInfo') } : {}),
    },
  }
}

function pathParameters(url: string): Json[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchemas[name] ?? { type: 'string' },
  }))
}

const idSchema = { type: 'string', pattern: '^[0-9a-f]{32}$', description: '32 lower-case hex digits' }

const pathSchemas: Readonly<Record<string, JsonObject>> = {
  account_id: idSchema,
  zone_id: idSchema,
  ruleset_id: idSchema,
  rule_id: idSchema,
  list_id: idSchema,
  item_id: idSchema,
  operation_id: idSchema,
  token_id: idSchema,
  phase: { type: 'string', enum: [...phases] },
  version: { type: 'string', pattern: '^[1-9][0-9]{0,14}$', description: 'A number from 1' },
  session_id: idSchema,
  job_id: { type: 'integer', minimum: 1 },
  replay_id: { type: 'integer', minimum: 1 },
  ray_id: { type: 'string', pattern: '^[0-9a-f]{16}$', description: '16 lower-case hex digits' },
}

function queryParameters(schema: unknown): Json[] {
  const { properties = {}, required = [] } = plain(schema ?? {}) as {
    readonly properties?: JsonObject
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: one,
  }))
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(components).map(([name, schema]) => [schema, name] as const),
)

/** A copy as JSON. @param self name of the schema itself, which is not replaced by a reference to it */
function plain(schema: unknown, self?: string): Json {
  let root = true
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    const name = root && self !== undefined ? undefined : names.get(value)
    root = false
    return name === undefined ? value : reference(name)
  })
  return JSON.parse(text) as Json
}
