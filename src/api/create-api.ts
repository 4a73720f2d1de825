import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type onRequestAsyncHookHandler,
} from 'fastify'
import { newId } from '../kit/ids.ts'
import type { Scope } from '../model/resource.ts'
import { auditLogRoutes } from './access/audit/routes.ts'
import { actorOf, authenticate, type RouteKind } from './access/auth.ts'
import { FailedSignIns } from './access/failed-sign-ins.ts'
import { oidcRoutes } from './access/oidc/routes.ts'
import { checkPermissions } from './access/permissions/guard.ts'
import { accountPermissionRoutes, zonePermissionRoutes } from './access/permissions/own.ts'
import { PasswordCheck } from './access/sign-in/check-password.ts'
import { ownSignInRoutes } from './access/sign-in/own-routes.ts'
import { signInRoutes } from './access/sign-in/routes.ts'
import { accountTokenRoutes, tokenCheckRoutes, userTokenRoutes } from './access/tokens/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { analyticsRequestLimits } from './analytics/limits.ts'
import { QueryQueue } from './analytics/query-queue.ts'
import { accountSecurityRoutes, securityRoutes } from './analytics/routes.ts'
import { RunningExports } from './analytics/running-exports.ts'
import { logSearchRoutes } from './analytics/search.ts'
import { sqlRoutes } from './analytics/sql.ts'
import { exceptionPreviewRoutes } from './analytics/what-if/exception-preview.ts'
import { whatIfRoutes } from './analytics/what-if/routes.ts'
import { certificatesInUseRoutes } from './certificates/in-use.ts'
import { originClientAuthRoutes } from './certificates/origin-client-auth.ts'
import { customCertificateRoutes } from './certificates/routes.ts'
import { trustStoreRoutes } from './certificates/trust-store.ts'
import { crsImportRoutes } from './crs/imports.ts'
import { crsReleaseRoutes } from './crs/releases.ts'
import { crsRuleReader, crsRuleRoutes } from './crs/rules.ts'
import { crsUpstreamRoutes } from './crs/upstream.ts'
import { customPageRoutes } from './custom-pages/routes.ts'
import type { ApiDeps } from './deps.ts'
import { dnsRecordRoutes } from './dns/routes.ts'
import { accessRuleRoutes } from './firewall/access-rules.ts'
import { zoneFirewallRoutes } from './firewall/routes.ts'
import { type Api, declareRequestParts, requireAccount, requireZone } from './http/context.ts'
import { answerBadHttp, answerError, answerErrors } from './http/error-handler.ts'
import { readJsonBodies } from './http/json-body.ts'
import { apiLimits } from './http/limits.ts'
import { coverageRoutes } from './kept-resources/coverage.ts'
import { keptResourceRoutes } from './kept-resources/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { loadBalancerRoutes, poolRoutes } from './load-balancers/routes.ts'
import { LoadBalancingWrites } from './load-balancers/writes.ts'
import { logpushCheckRoutes } from './logpush/checks.ts'
import { datasetRoutes } from './logpush/datasets.ts'
import { logpushHealthRoutes } from './logpush/health.ts'
import { logpushJobRoutes } from './logpush/jobs.ts'
import { logpushOverviewRoutes } from './logpush/overview.ts'
import { logpushReplayRoutes } from './logpush/replays.ts'
import { instantLogsRoutes } from './logs/instant-logs.ts'
import { instantLogsSocketRoutes, isSocketRequest } from './logs/instant-logs-socket.ts'
import { logpullRoutes } from './logs/logpull.ts'
import { redactionRoutes } from './logs/redaction.ts'
import { logSampleRoutes } from './logs/sample.ts'
import { ownUserRoutes } from './members/own.ts'
import { memberRoutes } from './members/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { describeApi } from './openapi/routes.ts'
import { rolloutRoutes } from './rollout/routes.ts'
import { managedCatalog } from './rulesets/managed.ts'
import { rulesetRoutes } from './rulesets/routes.ts'
import { RulesetWrites } from './rulesets/writes.ts'
import { ipRangeRoutes } from './system/ip-ranges.ts'
import { systemRoutes } from './system/routes.ts'
import { requestTracerRoutes } from './trace/routes.ts'
import { edgeAddressRoutes } from './zones/edge-address.ts'
import { fixedFeatureRoutes } from './zones/fixed-features.ts'
import { leakedCredentialRoutes } from './zones/leaked-credentials.ts'
import { managedTransformRoutes } from './zones/managed-transforms.ts'
import { originCheckRoutes } from './zones/origin-check.ts'
import { zoneRoutes } from './zones/routes.ts'
import { zoneSettingRoutes } from './zones/settings.ts'
import { shadowRoutes } from './zones/shadow.ts'
import { urlNormalizationRoutes } from './zones/url-normalization.ts'

/**
 * The control plane's HTTP server, not yet listening.
 * @source the paths, envelope and codes of Cloudflare's API v4; docs/reference/api.md lists the codes
 */
export function createApi(deps: ApiDeps): FastifyInstance {
  // A child logger, so that Fastify cannot change the level of the caller's logger.
  const loggerInstance: FastifyBaseLogger = deps.logger.child({})
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    bodyLimit: apiLimits.apiBodyBytesMax,
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    requestTimeout: apiLimits.requestTimeoutMs,
    http: { shouldUpgradeCallback: isSocketRequest },
    frameworkErrors: answerError,
    clientErrorHandler: answerBadHttp,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(compiledOnUse)
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
  const signIns = new FailedSignIns(deps.clock, failure => deps.signInFailed(failure))
  app.register(async (system: Api) => systemRoutes(system, deps, signIns))
  app.register(async (sockets: Api) => instantLogsSocketRoutes(sockets, deps))
  app.register(async (base: Api) => baseRoutes(base, deps, signIns), { prefix: '/client/v4' })
  return app as unknown as FastifyInstance
}

/** Compiles a schema with the first request that needs it: a process answers few of its routes. */
const compiledOnUse: typeof TypeBoxValidatorCompiler = route => {
  let validate: ReturnType<typeof TypeBoxValidatorCompiler> | undefined
  return value => {
    validate ??= TypeBoxValidatorCompiler(route)
    return validate(value)
  }
}

function baseRoutes(app: Api, deps: ApiDeps, signIns: FailedSignIns): void {
  const guarded = (kind: RouteKind, routes: (app: Api) => void) =>
    app.register(async (child: Api) => {
      child.addHook('onRequest', authenticate(deps, signIns, kind))
      routes(child)
    })
  logChanges(app)
  ipRangeRoutes(app)
  const passwords = new PasswordCheck(deps, signIns)
  signInRoutes(app, deps, signIns, passwords)
  oidcRoutes(app, deps)
  // The kind decides how an unknown token is answered.
  guarded('tokenCheck', tokens => tokenCheckRoutes(tokens, deps))
  guarded('resource', resources => {
    accountRoutes(resources, deps)
    ownUserRoutes(resources, deps)
    ownSignInRoutes(resources, deps, passwords)
    zoneRoutes(resources, deps)
    userTokenRoutes(resources, deps)
  })
  const managed = managedCatalog(deps.store)
  const writes = new RulesetWrites(deps, managed)
  const crsRules = crsRuleReader(deps)
  const queue = new QueryQueue(analyticsRequestLimits.askedMax)
  const running = new RunningExports(app)
  const balancing = new LoadBalancingWrites(deps)
  guarded('nested', nested => {
    below(nested, '/accounts/:account_id', requireAccount(deps.store), account => {
      rulesetRoutes(account, deps, writes, managed, 'account')
      listRoutes(account, deps)
      poolRoutes(account, deps, balancing)
      crsReleaseRoutes(account, deps)
      crsImportRoutes(account, deps)
      crsUpstreamRoutes(account, deps)
      originCheckRoutes(account, deps)
      rolloutRoutes(account, deps)
      edgeAddressRoutes(account, deps)
      crsRuleRoutes(account, deps, crsRules, 'account')
      accountTokenRoutes(account, deps)
      memberRoutes(account, deps)
      accountPermissionRoutes(account)
      auditLogRoutes(account, deps)
      notificationRoutes(account, deps)
      requestTracerRoutes(account, deps, managed)
      customPageRoutes(account, deps, 'account')
      keptResourceRoutes(account, deps, 'account')
      coverageRoutes(account, deps, 'account')
      accessRuleRoutes(account, deps, 'account')
      logpushRoutes(account, deps, 'account')
      accountSecurityRoutes(account, deps, queue)
      sqlRoutes(account, deps, running)
    })
    below(nested, '/zones/:zone_id', requireZone(deps.store), zone => {
      rulesetRoutes(zone, deps, writes, managed, 'zone')
      zonePermissionRoutes(zone)
      customPageRoutes(zone, deps, 'zone')
      keptResourceRoutes(zone, deps, 'zone')
      coverageRoutes(zone, deps, 'zone')
      accessRuleRoutes(zone, deps, 'zone')
      zoneFirewallRoutes(zone, deps)
      logpushRoutes(zone, deps, 'zone')
      instantLogsRoutes(zone, deps)
      logpullRoutes(zone, deps)
      logSampleRoutes(zone, deps)
      redactionRoutes(zone, deps)
      dnsRecordRoutes(zone, deps)
      loadBalancerRoutes(zone, balancing)
      shadowRoutes(zone, deps)
      zoneSettingRoutes(zone, deps)
      customCertificateRoutes(zone, deps)
      originClientAuthRoutes(zone, deps)
      trustStoreRoutes(zone, deps)
      certificatesInUseRoutes(zone, deps)
      urlNormalizationRoutes(zone, deps)
      leakedCredentialRoutes(zone, deps)
      managedTransformRoutes(zone, deps)
      fixedFeatureRoutes(zone)
      securityRoutes(zone, deps, queue, running)
      logSearchRoutes(zone, deps, queue, running)
      whatIfRoutes(zone, deps, managed, queue)
      exceptionPreviewRoutes(zone, deps, managed)
      crsRuleRoutes(zone, deps, crsRules, 'zone')
    })
  })
}

/** Accounts and zones have the same Logpush routes. */
function logpushRoutes(app: Api, deps: ApiDeps, scope: Scope['kind']): void {
  logpushJobRoutes(app, deps, scope)
  logpushReplayRoutes(app, deps, scope)
  logpushHealthRoutes(app, deps, scope)
  logpushOverviewRoutes(app, deps, scope)
  logpushCheckRoutes(app, deps, scope)
  datasetRoutes(app, deps, scope)
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

/** Logs each change with its actor. Bodies hold secrets and are not logged. */
function logChanges(app: Api): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { method, url, id } = request
    request.log.info({ id, actor: actorOf(request), method, url, status: reply.statusCode }, 'api change')
  })
}
