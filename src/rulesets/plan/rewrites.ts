import { bytesOfText } from '../../kit/bytes.ts'
import type { JsonObject, Phase } from '../../model/resource.ts'
import { refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { CompressResponseParameters } from '../schemas/compress-response.ts'
import type { RedirectParameters } from '../schemas/redirect.ts'
import type { RewriteHeadersParameters, RewriteUriParameters } from '../schemas/rewrite.ts'
import type { RouteParameters } from '../schemas/route.ts'
import type { SetConfigParameters } from '../schemas/set-config.ts'
import type { PlanSource } from './expression-compiler.ts'
import type {
  CompressEffect,
  ConfigureEffect,
  HeaderChange,
  ListedRedirectEffect,
  RedirectEffect,
  RedirectLookup,
  RewriteHeadersEffect,
  RewriteUriEffect,
  RouteEffect,
} from './plan.ts'
import { textOf, type WrittenText } from './text-values.ts'

/** Effects of rules that change requests and responses. Parameters were checked when they were written. */

export function rewriteOf(
  parameters: JsonObject,
  phase: Phase,
  source: PlanSource,
): RewriteUriEffect | RewriteHeadersEffect {
  return phase === 'http_request_transform'
    ? uriRewriteOf(parameters as unknown as RewriteUriParameters, phase, source)
    : headersRewriteOf(parameters as unknown as RewriteHeadersParameters, phase, source)
}

function uriRewriteOf({ uri }: RewriteUriParameters, phase: Phase, source: PlanSource): RewriteUriEffect {
  const context = { phase, use: 'rewrite-uri' } as const
  const part = (written: WrittenText | undefined) => written && textOf(written, context, source)
  return { kind: 'rewrite-uri', path: part(uri.path), query: part(uri.query) }
}

function headersRewriteOf(
  { headers }: RewriteHeadersParameters,
  phase: Phase,
  source: PlanSource,
): RewriteHeadersEffect {
  const context = { phase, use: 'rewrite-header' } as const
  const changes = Object.entries(headers).map(([name, change]): HeaderChange => {
    const { operation } = change
    return operation === 'remove'
      ? { operation, name }
      : { operation, name, value: textOf(change, context, source) }
  })
  return { kind: 'rewrite-headers', changes }
}

export function redirectOf(parameters: JsonObject, phase: Phase, source: PlanSource): RedirectEffect {
  const { target_url, status_code, preserve_query_string } = (parameters as unknown as RedirectParameters)
    .from_value!
  return {
    kind: 'redirect',
    status: status_code ?? 302,
    target: textOf(target_url, { phase, use: 'redirect' }, source),
    preserveQuery: preserve_query_string ?? false,
  }
}

/** Refuses a list that the account does not have. */
export function listedRedirectOf(
  parameters: JsonObject,
  phase: Phase,
  source: PlanSource,
  lists: RedirectLookup,
): ListedRedirectEffect {
  const { name, key } = (parameters as unknown as RedirectParameters).from_list!
  const list = lists(name) ?? refuse(refusal(rulesetCodes.planUnbuildable, `there is no list ${name}`, ''))
  const url = textOf({ expression: key }, { phase, use: 'redirect' }, source)
  return { kind: 'redirect-from-list', key: url, list }
}

export function routeOf(parameters: JsonObject): RouteEffect {
  const { host_header, sni, origin } = parameters as unknown as RouteParameters
  return {
    kind: 'route',
    hostHeader: host_header === undefined ? undefined : bytesOfText(host_header),
    sni: sni?.value,
    host: origin?.host,
    port: origin?.port,
  }
}

export function configurationOf(parameters: JsonObject): ConfigureEffect {
  const { security_level: level, ssl, bic, hotlink_protection } = parameters as unknown as SetConfigParameters
  return {
    kind: 'configure',
    underAttack: level === undefined ? undefined : level === 'under_attack',
    browserCheck: bic,
    hotlinkProtection: hotlink_protection,
    // Other values are kept without being enforced.
    verifiesOrigin: ssl === 'full' || ssl === 'strict' ? ssl === 'strict' : undefined,
  }
}

export function compressionOf(parameters: JsonObject): CompressEffect {
  const { algorithms } = parameters as unknown as CompressResponseParameters
  return { kind: 'compress', algorithms: algorithms.map(({ name }) => name) }
}
