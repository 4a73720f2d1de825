import { hostNameOf } from '../../../kit/host-name.ts'
import type { EdgeDeps } from '../../exchange/deps.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Span, SpanAttributes } from '../../measures/spans.ts'
import type { ClientRequest } from '../../message/client-request.ts'
import { joinedHeader } from '../../message/headers.ts'
import { recordedStatus } from '../http-request.ts'
import { methodAttributes, spanNameOf } from './names.ts'
import { headerForSpan, hostForSpan, pathForSpan } from './texts.ts'

/** Begins the span of a request; undefined without distributed tracing. */
export function beginSpan({ spans }: EdgeDeps, request: ClientRequest): Span | undefined {
  if (spans === undefined) return undefined
  const { method, headers, connection } = request
  return spans.begin(spanNameOf(method), {
    traceparent: joinedHeader(headers, 'traceparent'),
    tracestate: joinedHeader(headers, 'tracestate'),
    trusted: connection.address.peerTrusted,
  })
}

/** Ends the span of a request, with the conventions for HTTP servers. */
export function endSpan(span: Span, exchange: Exchange): void {
  if (span.isSampled) {
    span.set(requestAttributes(exchange))
    span.set(resultAttributes(exchange))
    const failure = failureOf(exchange)
    if (failure !== undefined) span.fail(failure)
  }
  span.end()
}

function requestAttributes({ facts: { rayId, plan, request } }: Exchange): SpanAttributes {
  const { method, scheme, version, clientIp, connection } = request
  const attributes: Record<string, string | number> = {
    ...methodAttributes(method),
    'url.scheme': scheme,
    'client.address': clientIp,
    'network.peer.address': connection.address.peerIp,
    'network.protocol.version': version === 'HTTP/2' ? '2' : version.slice('HTTP/'.length),
    'server.port': connection.serverPort,
    'sluice.ray_id': rayId,
  }
  // The redaction of texts is the zone's, so a request without a zone shows none.
  if (plan === undefined) return attributes
  const { redaction, zone } = plan
  attributes['server.address'] = hostForSpan(redaction, hostNameOf(request.host))
  attributes['url.path'] = pathForSpan(redaction, request.path)
  attributes['sluice.zone'] = zone.name
  const userAgent = request.header('user-agent')
  if (userAgent !== undefined) attributes['user_agent.original'] = headerForSpan(redaction, userAgent)
  return attributes
}

function resultAttributes({ decisions, answer }: Exchange): SpanAttributes {
  const attributes: Record<string, string | number> = {}
  if (answer.status > 0) attributes['http.response.status_code'] = answer.status
  const { terminal, inspections, engineMs } = decisions
  if (inspections.length > 0) attributes['sluice.waf.engine_ms'] = engineMs
  if (terminal !== undefined) {
    attributes['sluice.action'] = terminal.action
    attributes['sluice.rule.id'] = terminal.ruleId
  }
  return attributes
}

/** A client that leaves, and a server error; answers below 500 are no failures of a server. */
function failureOf({ answer, decisions }: Exchange): string | undefined {
  if (answer.brokeOff === 'client') return 'client_left'
  if (answer.brokeOff === 'origin') return 'origin_broke_off'
  const status = recordedStatus(answer, decisions)
  return status >= 500 ? String(status) : undefined
}
