import { unixPathOf } from '../../../kit/unix-url.ts'
import type { Upstream } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { RequestFacts } from '../../exchange/facts.ts'
import type { Span, SpanAttributes } from '../../measures/spans.ts'
import { methodAttributes, spanNameOf } from './names.ts'
import { pathForSpan } from './texts.ts'

/** One attempt at an origin. */
interface Attempt {
  readonly upstream: Upstream
  /** Path and query of the request. */
  readonly uri: string
  /** Earlier attempts. */
  readonly resends: number
}

/** Begins the span of an attempt, with the conventions for HTTP clients. */
export function beginAttempt(
  parent: Span,
  { request: { method }, plan }: RequestFacts,
  { upstream, uri, resends }: Attempt,
): Span {
  const span = parent.child(spanNameOf(method), 'client')
  if (span.isSampled) {
    span.set(methodAttributes(method))
    span.set(serverAttributes(upstream, pathForSpan(plan!.redaction, uri)))
    if (resends > 0) span.set({ 'http.request.resend_count': resends })
  }
  return span
}

/** The origin's part of the request is over. @param failure the attempt failed */
export function endAttempt(span: Span, { answer }: Exchange, failure: Error | undefined): void {
  const { origin } = answer
  if (span.isSampled && origin !== undefined) {
    if (origin.link !== undefined) span.set({ 'network.peer.address': origin.link.remoteIp })
    if (origin.status > 0) {
      span.set({ 'http.response.status_code': origin.status })
      span.set({ 'sluice.origin.first_byte_ms': answer.originFirstByteMs })
    }
    if (origin.status >= 400) span.fail(String(origin.status))
  }
  if (failure !== undefined) {
    const { code, name } = failure as NodeJS.ErrnoException
    span.fail(code ?? name)
  }
  span.end()
}

function serverAttributes({ url }: Upstream, path: string): SpanAttributes {
  const socket = unixPathOf(url)
  if (socket !== undefined) return { 'server.address': socket, 'url.full': `http://localhost${path}` }
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname, 'server.port': Number(port) || usual, 'url.full': url + path }
}
