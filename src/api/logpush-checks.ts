import { Type } from '@fastify/type-provider-typebox'
import { logpushLimits } from '../kit/limits.ts'
import {
  checkDestination,
  issueOwnership,
  validateLogpullOptions,
  verifyOwnership,
} from '../logpush/index.ts'
import { type Api, scopeOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { ownerOf } from './ownership.ts'

const strict = { additionalProperties: false }
const destination_conf = Type.String({ minLength: 1, maxLength: logpushLimits.destinationCharactersMax })
const destinationBody = Type.Object({ destination_conf }, strict)
const challengeBody = Type.Object(
  { destination_conf, ownership_challenge: Type.String({ maxLength: 4096 }) },
  strict,
)
const originBody = Type.Object(
  {
    logpull_options: Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]),
    dataset: Type.Optional(Type.String({ maxLength: 256 })),
  },
  strict,
)

/** What clients ask before they make a job of an account or a zone. An answer of 200 with `valid: false` is the refusal. */
export function logpushCheckRoutes(app: Api, deps: ApiDeps): void {
  app.post('/logpush/ownership', { schema: { body: destinationBody } }, async request => {
    const owner = await ownerOf(scopeOf(request), deps)
    const { filename, valid, message } = await issueOwnership(
      request.body.destination_conf,
      owner,
      deps.destinations,
    )
    return success({ filename, valid, message })
  })

  app.post('/logpush/ownership/validate', { schema: { body: challengeBody } }, async request => {
    const { destination_conf, ownership_challenge } = request.body
    const owner = await ownerOf(scopeOf(request), deps)
    return success({ valid: verifyOwnership(ownership_challenge, destination_conf, owner) })
  })

  app.post('/logpush/validate/destination', { schema: { body: destinationBody } }, async request => {
    const { valid, message } = await checkDestination(request.body.destination_conf, deps.destinations)
    return success({ valid, message })
  })

  app.post('/logpush/validate/destination/exists', { schema: { body: destinationBody } }, async request => {
    const jobs = await deps.store.jobs.list(scopeOf(request))
    return success({ exists: jobs.some(job => job.destinationConf === request.body.destination_conf) })
  })

  app.post('/logpush/validate/origin', { schema: { body: originBody } }, async request => {
    const { dataset, logpull_options } = request.body
    const checked = validateLogpullOptions(dataset ?? 'http_requests', logpull_options, scopeOf(request).kind)
    return success(
      checked.ok ? { valid: true, message: '' } : { valid: false, message: checked.problem.message },
    )
  })
}
