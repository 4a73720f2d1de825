import type { TestContext } from 'node:test'
import { execution, fakeProgram } from '../../edge/testing/fake-program.ts'
import { planFor, planPhase, rule, startEdge, startOrigin, trusted } from '../../edge/testing/fixture.ts'
import { type AgentKind, createAgents } from '../agents.ts'
import type { AgentLimits } from '../deps.ts'

/** Rules that act by path, in each way that rules can act. */
export function plansOfPaths(originUrl: string) {
  const at = (path: string) => (view: { readonly path: string }) => view.path === path
  const teapot = { status: 418, content: 'no coffee', contentType: 'text/plain' } as const
  const request = [
    planPhase('http_request_dynamic_redirect', {
      zone: [
        rule(
          { kind: 'redirect', status: 302, target: () => 'https://new.test/', preserveQuery: false },
          at('/moved'),
        ),
      ],
    }),
    planPhase('http_request_transform', {
      zone: [rule({ kind: 'rewrite-uri', path: () => '/rewritten', query: undefined }, at('/old'))],
    }),
    planPhase('http_request_late_transform', {
      zone: [
        rule({
          kind: 'rewrite-headers',
          changes: [{ operation: 'set', name: 'X-Team', value: () => 'blue' }],
        }),
      ],
    }),
    planPhase('http_request_firewall_custom', {
      zone: [
        rule({ kind: 'action', action: 'block' }, at('/blocked'), 'blocks'),
        rule({ kind: 'action', action: 'block', response: teapot }, at('/teapot'), 'teapot'),
        rule({ kind: 'action', action: 'managed_challenge' }, at('/challenged'), 'challenges'),
      ],
    }),
    planPhase('http_request_firewall_managed', { zone: [rule(execution(fakeProgram({ score: 9 })))] }),
  ]
  const responseHeaders = [
    rule({
      kind: 'rewrite-headers',
      changes: [{ operation: 'set', name: 'X-Seen', value: () => 'by sluice' }],
    }),
  ]
  const response = [rule({ kind: 'action', action: 'block' }, view => view.response?.status === 500, 'hides')]
  const customErrors = [
    rule(
      {
        kind: 'serve-error',
        status: 410,
        contentType: 'text/plain',
        content: ['gone, ', '::RAY_ID::', ''],
        namesError: false,
      },
      view => view.response?.status === 404,
    ),
  ]
  return planFor(originUrl, { request, responseHeaders, response, customErrors })
}

/** An edge with agents, and an origin that tells what it received. Everything ends with the test. */
export async function startAgents(t: TestContext, kind: AgentKind, limits: Partial<AgentLimits> = {}) {
  const origin = await startOrigin(t, (request, response) => {
    const { method, url, headers } = request
    let body = ''
    request.setEncoding('latin1')
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      if (url === '/failing') response.statusCode = 500
      if (url === '/missing') {
        response.statusCode = 404
        response.setHeaders(
          new Map([
            ['ETag', '"x"'],
            ['X-Kept', 'yes'],
          ]),
        )
      }
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ method, url, headers, bodyBytes: body.length }))
    })
  })
  const warnings: string[] = []
  const logger = {
    warn: (_fields: object, message: string) => warnings.push(message),
    error: (fields: object, message: string) => console.error(message, fields),
  }
  const trustedProxies = trusted('127.0.0.1/32')
  const started = await startEdge(t, plansOfPaths(origin.url), { trustedProxies, logger })
  const agents = createAgents({
    inspect: request => started.edge.inspect(request),
    waiting: rayId => started.edge.waiting(rayId),
    trustedProxies,
    logger,
    limits,
  })
  t.after(() => agents.close())
  const agentPort = await agents.listen(kind, { host: '127.0.0.1', port: 0 })
  return { ...started, agents, warnings, agentPort, originPort: Number(new URL(origin.url).port) }
}
