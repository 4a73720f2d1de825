import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type onRequestAsyncHookHandler,
} from 'fastify'
import { newId } from '../kit/ids.ts'
import { apiLimits, httpLimits } from '../kit/limits.ts'
import { accountRoutes } from './accounts.ts'
import { auditLogRoutes } from './audit-logs.ts'
import { type AuthPlace, actorOf, authenticate } from './auth.ts'
import { type Api, declareRequestParts, requireAccount, requireZone } from './context.ts'
import { crsImportRoutes } from './crs-imports.ts'
import { crsReleaseRoutes } from './crs-releases.ts'
import { crsRuleReader, crsRuleRoutes } from './crs-rules.ts'
import { crsUpstreamRoutes } from './crs-upstream.ts'
import { datasetRoutes } from './datasets.ts'
import type { ApiDeps } from './deps.ts'
import { edgeAddressRoutes } from './edge-address.ts'
import { answerBadHttp, answerError, answerErrors } from './error-handler.ts'
import { exceptionPreviewRoutes } from './exception-preview.ts'
import { instantLogsRoutes } from './instant-logs.ts'
import { instantLogsSocketRoutes, isSocketRequest } from './instant-logs-socket.ts'
import { readJsonBodies } from './json-body.ts'
import { listRoutes } from './lists.ts'
import { logSampleRoutes } from './log-sample.ts'
import { logpullRoutes } from './logpull.ts'
import { logpushCheckRoutes } from './logpush-checks.ts'
import { logpushHealthRoutes } from './logpush-health.ts'
import { logpushJobRoutes } from './logpush-jobs.ts'
import { logpushReplayRoutes } from './logpush-replays.ts'
import { managedCatalog } from './managed.ts'
import { describeApi } from './openapi.ts'
import { originCheckRoutes } from './origin-check.ts'
import { accountPermissionRoutes, zonePermissionRoutes } from './own-permissions.ts'
import { checkPermissions } from './permissions-routes.ts'
import { Questions } from './questions.ts'
import { redactionRoutes } from './redaction.ts'
import { requestTracerRoutes } from './request-tracer.ts'
import { RulesetWrites } from './ruleset-writes.ts'
import { rulesetRoutes } from './rulesets.ts'
import { accountSecurityRoutes, securityRoutes } from './security.ts'
import { shadowRoutes } from './shadow.ts'
import { systemRoutes } from './system.ts'
import { accountTokenRoutes, tokenCheckRoutes, userTokenRoutes } from './tokens.ts'
import { whatIfRoutes } from './what-if.ts'
import { zoneRoutes } from './zones.ts'

/**
 * The control plane's HTTP server, not yet listening.
 * @source the paths, envelope and codes of Cloudflare's API v4; docs/errors.md lists the codes
 */
export function createApi(deps: ApiDeps): FastifyInstance {
  // Its level is its own.
  const loggerInstance: FastifyBaseLogger = deps.logger.child({})
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    bodyLimit: httpLimits.apiBodyBytesMax,
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    requestTimeout: apiLimits.requestTimeoutMs,
    http: { shouldUpgradeCallback: isSocketRequest },
    frameworkErrors: answerError,
    clientErrorHandler: answerBadHttp,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  readJsonBodies(app)
  answerErrors(app, deps.dashboard)
  app.decorate('clock', deps.clock)
  declareRequestParts(app)
  checkPermissions(app)
  describeApi(app)
  // Answers hold destinations with their credentials: nothing between here and the client may keep them.
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.register(async (system: Api) => systemRoutes(system, deps))
  app.register(async (sockets: Api) => instantLogsSocketRoutes(sockets, deps))
  app.register(async (base: Api) => baseRoutes(base, deps), { prefix: '/client/v4' })
  return app as unknown as FastifyInstance
}

function baseRoutes(app: Api, deps: ApiDeps): void {
  logChanges(app)
  guarded(app, deps, 'tokenCheck', tokens => tokenCheckRoutes(tokens, deps))
  guarded(app, deps, 'resource', resources => {
    accountRoutes(resources, deps)
    zoneRoutes(resources, deps)
    userTokenRoutes(resources, deps)
  })
  const managed = managedCatalog(deps.store)
  const writes = new RulesetWrites(deps, managed)
  const crsRules = crsRuleReader(deps)
  const questions = new Questions()
  guarded(app, deps, 'nested', nested => {
    below(nested, '/accounts/:account_id', requireAccount(deps.store), account => {
      rulesetRoutes(account, deps, writes, managed, 'account')
      listRoutes(account, deps)
      crsReleaseRoutes(account, deps)
      crsImportRoutes(account, deps)
      crsUpstreamRoutes(account, deps)
      originCheckRoutes(account)
      edgeAddressRoutes(account, deps)
      crsRuleRoutes(account, deps, crsRules)
      accountTokenRoutes(account, deps)
      accountPermissionRoutes(account)
      auditLogRoutes(account, deps)
      requestTracerRoutes(account, deps, managed)
      logpushRoutes(account, deps)
      accountSecurityRoutes(account, deps, questions)
    })
    below(nested, '/zones/:zone_id', requireZone(deps.store), zone => {
      rulesetRoutes(zone, deps, writes, managed, 'zone')
      zonePermissionRoutes(zone)
      logpushRoutes(zone, deps)
      instantLogsRoutes(zone, deps)
      logpullRoutes(zone, deps)
      logSampleRoutes(zone, deps)
      redactionRoutes(zone, deps)
      shadowRoutes(zone, deps)
      securityRoutes(zone, deps, questions)
      whatIfRoutes(zone, deps, managed, questions)
      exceptionPreviewRoutes(zone, deps, managed)
      crsRuleRoutes(zone, deps, crsRules)
    })
  })
}

/** Log push of accounts and of zones is the same. */
function logpushRoutes(app: Api, deps: ApiDeps): void {
  logpushJobRoutes(app, deps)
  logpushReplayRoutes(app, deps)
  logpushHealthRoutes(app, deps)
  logpushCheckRoutes(app, deps)
  datasetRoutes(app, deps)
}

/** Routes that need credentials. `place` decides what an unknown token is answered. */
function guarded(app: Api, deps: ApiDeps, place: AuthPlace, routes: (app: Api) => void): void {
  app.register(async (child: Api) => {
    child.addHook('onRequest', authenticate(deps, place))
    routes(child)
  })
}

function below(app: Api, prefix: string, hook: onRequestAsyncHookHandler, routes: (app: Api) => void): void {
  app.register(
    async (child: Api) => {
      child.addHook('onRequest', hook)
      routes(child)
    },
    { prefix },
  )
}

/** Who changed what, for the log; bodies hold secrets and stay out of it. */
function logChanges(app: Api): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { method, url, id } = request
    request.log.info({ id, actor: actorOf(request), method, url, status: reply.statusCode }, 'api change')
  })
}
