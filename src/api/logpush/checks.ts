import { Type } from '@fastify/type-provider-typebox'
import {
  checkDestination,
  issueOwnership,
  ownershipFault,
  validateLogpullOptions,
} from '../../logpush/index.ts'
import { logpushLimits } from '../../logpush/limits.ts'
import type { Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { optional, strict, text } from '../http/schemas.ts'
import { logpushOperations } from './operation.ts'
import { ownerOf } from './ownership.ts'

const destination_conf = Type.String({ minLength: 1, maxLength: logpushLimits.destinationCharactersMax })
const destinationBody = Type.Object({ destination_conf }, strict)
const challengeBody = Type.Object(
  { destination_conf, ownership_challenge: Type.String({ maxLength: logpushLimits.optionsCharactersMax }) },
  strict,
)
const originBody = Type.Object(
  {
    logpull_options: Type.Union([
      Type.String({ maxLength: logpushLimits.optionsCharactersMax }),
      Type.Null(),
    ]),
    dataset: Type.Optional(Type.String({ maxLength: logpushLimits.datasetNameCharactersMax })),
  },
  strict,
)

export const ownershipSchema = Type.Object({ filename: text, valid: Type.Boolean(), message: text })
export const validSchema = Type.Object({ valid: Type.Boolean(), message: optional(text) })
export const existsSchema = Type.Object({ exists: Type.Boolean() })

function describedAt(scope: Scope['kind']) {
  const { operation, whose } = logpushOperations(scope)
  return {
    createOwnership: operation(
      'createOwnership',
      `Write an ownership challenge ${whose} to a destination`,
      'write',
      { result: ownershipSchema },
    ),
    validateOwnership: operation('validateOwnership', `Check an ownership challenge ${whose}`, 'write', {
      result: validSchema,
    }),
    validateDestination: operation(
      'validateDestination',
      `Write a probe to a destination for jobs ${whose}`,
      'write',
      { result: validSchema },
    ),
    destinationExists: operation(
      'destinationExists',
      `Check whether a job ${whose} pushes to this destination`,
      'write',
      { result: existsSchema },
    ),
    validateOptions: operation('validateLogpullOptions', `Check logpull options for jobs ${whose}`, 'write', {
      result: validSchema,
    }),
  }
}

/** Checks that clients make before they create a job. The refusal is a 200 with `valid: false`. */
export function logpushCheckRoutes(app: Api, deps: ApiDeps, scope: Scope['kind']): void {
  const described = describedAt(scope)
  const destination = { body: destinationBody }

  app.post(
    '/logpush/ownership',
    { config: described.createOwnership, schema: destination },
    async request => {
      const owner = await ownerOf(scopeOf(request), deps)
      const { filename, valid, message } = await issueOwnership(
        request.body.destination_conf,
        owner,
        deps.destinations,
      )
      return success({ filename, valid, message })
    },
  )

  const challenge = { config: described.validateOwnership, schema: { body: challengeBody } }
  app.post('/logpush/ownership/validate', challenge, async request => {
    const { destination_conf, ownership_challenge } = request.body
    const owner = await ownerOf(scopeOf(request), deps)
    return success({ valid: ownershipFault(ownership_challenge, destination_conf, owner) === undefined })
  })

  const probe = { config: described.validateDestination, schema: destination }
  app.post('/logpush/validate/destination', probe, async request => {
    const { valid, message } = await checkDestination(request.body.destination_conf, deps.destinations)
    return success({ valid, message })
  })

  const exists = { config: described.destinationExists, schema: destination }
  app.post('/logpush/validate/destination/exists', exists, async request => {
    const jobs = await deps.store.jobs.list(scopeOf(request))
    return success({ exists: jobs.some(job => job.destinationConf === request.body.destination_conf) })
  })

  const options = { config: described.validateOptions, schema: { body: originBody } }
  app.post('/logpush/validate/origin', options, async request => {
    const { dataset, logpull_options } = request.body
    const checked = validateLogpullOptions(dataset ?? 'http_requests', logpull_options, scopeOf(request).kind)
    return success(
      checked.ok ? { valid: true, message: '' } : { valid: false, message: checked.problem.message },
    )
  })
}
