import { type TSchema, Type } from 'typebox'
import { rulesetPhases } from '../../model/resource.ts'
import { blockShape } from './block.ts'
import { compressResponseShape } from './compress-response.ts'
import { executeShape } from './execute.ts'
import { exposedCredentialsShape } from './exposed-credentials.ts'
import { logCustomFieldShape } from './log-custom-field.ts'
import { emptyShape } from './no-parameters.ts'
import { id, strict } from './parts.ts'
import { rateLimitShape } from './rate-limit.ts'
import { redirectShape } from './redirect.ts'
import { rewriteHeadersShape, rewriteUriShape } from './rewrite.ts'
import { routeShape } from './route.ts'
import { definitionMembers, outputMembers, positionShape } from './rule.ts'
import { createBody, entryPointBody, replaceBody } from './ruleset.ts'
import { serveErrorShape } from './serve-error.ts'
import { setConfigShape } from './set-config.ts'
import { loggingShape, skipShape } from './skip.ts'

/** The parameters of each action. */
const parameters = {
  block: blockShape.schema,
  challenge: emptyShape.schema,
  compress_response: compressResponseShape.schema,
  execute: executeShape.schema,
  js_challenge: emptyShape.schema,
  log: emptyShape.schema,
  log_custom_field: logCustomFieldShape.schema,
  managed_challenge: emptyShape.schema,
  redirect: redirectShape.schema,
  rewrite: Type.Union([rewriteUriShape.schema, rewriteHeadersShape.schema]),
  route: routeShape.schema,
  serve_error: serveErrorShape.schema,
  set_config: setConfigShape.schema,
  skip: skipShape.schema,
}

type Action = keyof typeof parameters

/** Actions that need no parameters, and that rate limits can apply. */
const plainActions: ReadonlySet<string> = new Set<Action>([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
])

/** The members of a rule that depend on its action. */
function actionMembers(action: Action): Record<string, TSchema> {
  const plain = plainActions.has(action)
  return {
    action: Type.Literal(action),
    action_parameters: plain ? Type.Optional(parameters[action]) : parameters[action],
    ...(action === 'skip' ? { logging: Type.Optional(loggingShape.schema) } : {}),
    ...(plain ? { ratelimit: Type.Optional(rateLimitShape.schema) } : {}),
    ...(plain || action === 'rewrite'
      ? { exposed_credential_check: Type.Optional(exposedCredentialsShape.schema) }
      : {}),
  }
}

function eachAction(members: Readonly<Record<string, TSchema>>): TSchema {
  const actions = Object.keys(parameters) as Action[]
  return Type.Union(actions.map(action => Type.Object({ ...members, ...actionMembers(action) }, strict)))
}

const position = Type.Optional(positionShape.schema)
const inputMembers = { ...definitionMembers, ...outputMembers, id: Type.Optional(Type.String()) }

const ruleEntry = Type.Union([
  eachAction(inputMembers),
  Type.Object(
    { id, ...outputMembers },
    { ...strict, description: 'The rule with this id, as it is; in PUT of a list' },
  ),
])
/** Body of POST of a rule. */
const ruleCreate = eachAction({ ...inputMembers, position })
/** Body of PATCH of a rule: its whole definition, its new position, or both. */
const ruleUpdate = Type.Union([ruleCreate, Type.Object({ position: positionShape.schema }, strict)])

const time = Type.String({ format: 'date-time' })
const version = Type.String({ pattern: '^[0-9]+$' })
const { description } = definitionMembers

const shownMembers = {
  id,
  version,
  last_updated: time,
  ref: Type.String(),
  enabled: Type.Boolean(),
  description,
}

/** A rule in answers: of a user's ruleset, or of a managed ruleset. */
const rule = Type.Union([
  eachAction({ ...shownMembers, expression: Type.String() }),
  Type.Object(
    {
      ...shownMembers,
      action: Type.String(),
      action_parameters: Type.Optional(Type.Object({ increment: Type.Integer() }, strict)),
      categories: Type.Optional(Type.Array(Type.String())),
      score_threshold: Type.Optional(Type.Integer()),
    },
    { ...strict, description: 'A rule of a managed ruleset' },
  ),
])

const summaryMembers = {
  id,
  name: Type.String(),
  description: Type.String(),
  source: Type.Optional(Type.String()),
  kind: Type.Enum(['managed', 'custom', 'root', 'zone']),
  version,
  last_updated: time,
  phase: Type.Enum([...rulesetPhases]),
}

/** All schemas of rulesets in the API's description; bodies are checked with the same parts. */
export const rulesetSchemas = {
  /** The form in lists. */
  summary: Type.Object(summaryMembers, strict),
  ruleset: Type.Object({ ...summaryMembers, rules: Type.Array(rule) }, strict),
  rule,
  parameters,
  rateLimit: rateLimitShape.schema,
  position: positionShape.schema,
  createBody: createBody(ruleEntry),
  replaceBody: replaceBody(ruleEntry),
  entryPointBody: entryPointBody(ruleEntry),
  ruleCreate,
  ruleUpdate,
} as const
