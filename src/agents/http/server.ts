import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { flatHeaders, type HeaderLines, type ProxiedVerdict } from '../../edge/index.ts'
import type { Agent, ReadyDeps } from '../deps.ts'
import { type Page, pageAsHeader, pageFromHeader } from './kept-page.ts'
import { originalRequest, passedRequest } from './original-request.ts'

/**
 * Answers the sub-requests of proxies: `/forward-auth` for Caddy and Traefik, which send any answer but 2xx to the
 * client, and `/auth-request` for nginx. nginx understands 2xx and 403, and fetches the page from `/answer`. Below
 * `/.sluice/`, requests of clients arrive as they are.
 */
export function createHttpAgent(deps: ReadyDeps): Agent {
  let ending = false
  const server = createServer(
    { maxHeaderSize: deps.limits.agentHeaderBytesMax, keepAliveTimeout: 75_000, requestTimeout: 0 },
    (call, response) => {
      if (ending) response.shouldKeepAlive = false
      if (!deps.admits(call.socket.remoteAddress))
        refuse(response, 403, 'this proxy is not in SLUICE_TRUSTED_PROXIES')
      else
        route(deps, call, response).catch(error => {
          deps.logger.warn({ reason: (error as Error).message }, 'a call of a proxy could not be answered')
          response.destroy()
        })
    },
  )
  return {
    server,
    retire: () => {
      ending = true
    },
    drain: () => {
      ending = true
      // For connections in use now, once they are idle.
      server.keepAliveTimeout = 1
      server.closeIdleConnections()
    },
  }
}

async function route(deps: ReadyDeps, call: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (call.url ?? '').split('?', 1)[0]!
  if (path.startsWith('/.sluice/')) {
    const { verdict } = deps.inspect(passedRequest(call))
    tell(response, await verdict)
    return
  }
  if (path === '/answer') {
    sendKept(deps, call, response)
    return
  }
  if (path !== '/forward-auth' && path !== '/auth-request') {
    refuse(response, 404, 'ask /forward-auth or /auth-request')
    return
  }
  const request = originalRequest(call)
  if (request === undefined) {
    refuse(response, 400, 'X-Forwarded-Method and X-Forwarded-Uri name no request')
    return
  }
  const exchange = deps.inspect(request)
  response.once('close', () => exchange.abandon(true))
  const verdict = await exchange.verdict
  if (path === '/forward-auth') tell(response, verdict)
  else tellNginx(deps, response, verdict)
}

/** The verdict as an answer that proxies send to the client, unless it is 200. */
function tell(response: ServerResponse, verdict: ProxiedVerdict): void {
  if (verdict.kind === 'pass') send(response, 200, passHeaders(verdict), noBody)
  else if (verdict.kind === 'page')
    send(response, verdict.status, [...withoutLength(verdict.headers), ...facts(verdict)], verdict.body)
  // These proxies cannot close the connection of a client.
  else send(response, 403, facts(verdict), noBody)
}

/** As 200 or 403. The page is in a header, with which nginx fetches it. */
function tellNginx({ limits }: ReadyDeps, response: ServerResponse, verdict: ProxiedVerdict): void {
  if (verdict.kind === 'pass') {
    send(response, 200, passHeaders(verdict), noBody)
    return
  }
  const page: Page = verdict.kind === 'page' ? verdict : { status: 403, headers: [], body: noBody }
  const kept = pageAsHeader({ ...page, headers: withoutLength(page.headers) })
  const answer: HeaderLines = kept.length <= limits.agentAnswerBytesMax ? [['X-Sluice-Answer', kept]] : []
  send(response, 403, [...facts(verdict), ['X-Sluice-Status', String(page.status)], ...answer], noBody)
}

function sendKept({ limits }: ReadyDeps, call: IncomingMessage, response: ServerResponse): void {
  const value = call.headers['x-sluice-answer']
  const page = typeof value === 'string' ? pageFromHeader(value, limits.agentPageBytesMax) : undefined
  if (page === undefined) refuse(response, 403, 'the page of this answer is not known')
  else send(response, page.status, page.headers, page.body)
}

const noBody = Buffer.alloc(0)

/** The values for the origin; see `HeaderEdits.set`. Names that proxies copy are always present. */
function passHeaders(verdict: Extract<ProxiedVerdict, { readonly kind: 'pass' }>): HeaderLines {
  const set = verdict.headers.set.flatMap(([name, values]) => values.map(value => [name, value] as const))
  return [...set, ...facts(verdict)]
}

function facts({ action, score, rayId }: ProxiedVerdict): HeaderLines {
  return [
    ['X-Sluice-Action', action === '' ? 'pass' : action],
    ['X-Sluice-Score', String(score)],
    ['X-Sluice-Ray-ID', rayId],
  ]
}

function withoutLength(headers: HeaderLines): HeaderLines {
  return headers.filter(([name]) => name.toLowerCase() !== 'content-length')
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  send(response, status, [['Content-Type', 'text/plain; charset=utf-8']], Buffer.from(`${reason}\n`))
}

function send(response: ServerResponse, status: number, headers: HeaderLines, body: Buffer): void {
  if (response.destroyed) return
  // The body of a call that was refused before its end cannot be told from the next call.
  const ends = response.req.complete ? [] : [['Connection', 'close'] as const]
  response.writeHead(status, flatHeaders([...headers, ['Content-Length', String(body.length)], ...ends]))
  response.end(body)
}
