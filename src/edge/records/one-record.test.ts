import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import type { PlanRule } from '../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  type PlanParts,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

/** Requests of one kind. Their target is `/kind/number`. */
interface Kind {
  readonly name: string
  /** Allowed statuses of the record. */
  readonly status: readonly number[]
  /** Actions of its events, in order; the record lists the same. */
  readonly actions?: readonly string[]
  /** The sent request; by default a GET whose connection ends with the response. */
  readonly text?: (target: string) => string
  /** When the client leaves: after the rules see the request, after the origin has it, or after the response has begun. */
  readonly leaves?: 'seen' | 'asked' | 'answered'
}

const get = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n${more}\r\n`
const post = (target: string, lengthOrCoding: string, body: string) =>
  `POST ${target} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n${lengthOrCoding}\r\n\r\n${body}`
const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

const kinds: readonly Kind[] = [
  { name: 'plain', status: [200] },
  { name: 'head', status: [200], text: target => get(target).replace('GET', 'HEAD') },
  { name: 'http10', status: [200], text: target => `GET ${target} HTTP/1.0\r\nHost: site.test\r\n\r\n` },
  { name: 'post', status: [200], text: target => post(target, 'Content-Length: 3', 'a=b') },
  {
    name: 'stream',
    status: [200],
    text: target => post(target, 'Transfer-Encoding: chunked', '3\r\na=b\r\n0\r\n\r\n'),
  },
  {
    name: 'expect',
    status: [200],
    text: target => post(target, 'Content-Length: 3\r\nExpect: 100-continue', 'a=b'),
  },
  { name: 'blocked', status: [403], actions: ['block'] },
  {
    name: 'blocked-post',
    status: [403],
    actions: ['block'],
    text: target => post(target, 'Content-Length: 9', 'a=b'),
  },
  { name: 'logged', status: [200], actions: ['log'] },
  { name: 'logged-blocked', status: [403], actions: ['log', 'block'] },
  { name: 'skipped', status: [200], actions: ['skip'] },
  { name: 'challenged', status: [403], actions: ['managedChallenge'] },
  { name: 'limited', status: [429], actions: ['block'] },
  { name: 'redirected', status: [302] },
  { name: 'attack', status: [403], actions: ['block'] },
  {
    name: 'attack-body',
    status: [403],
    actions: ['block'],
    text: target => post(target, 'Content-Length: 6', 'attack'),
  },
  { name: 'dropped', status: [0], actions: ['connectionClose'] },
  { name: 'leak', status: [403], actions: ['block'] },
  { name: 'mistake', status: [500] },
  { name: 'broken', status: [502] },
  { name: 'cut', status: [502] },
  { name: 'slow-origin', status: [504] },
  { name: 'switched', status: [101], text: upgrade },
  { name: 'switched-cut', status: [101], text: upgrade, leaves: 'answered' },
  { name: 'switched-refused', status: [200], text: upgrade },
  { name: 'switched-blocked', status: [403], actions: ['block'], text: upgrade },
  { name: 'fragment', status: [400], text: target => get(`${target}#f`) },
  { name: 'two-hosts', status: [400], text: target => get(target, 'Host: site.test\r\n') },
  { name: 'bad-header', status: [400], text: target => get(target, 'A b: c\r\n') },
  { name: 'bad-chunk', status: [400], text: target => post(target, 'Transfer-Encoding: chunked', 'x\r\n') },
  { name: 'half-body', status: [408], text: target => post(target, 'Content-Length: 30000', 'a=b') },
  { name: 'surplus', status: [200], text: target => `${get(target)}|no HTTP|\r\n\r\n` },
  { name: 'left', status: [499], leaves: 'asked' },
  {
    name: 'left-upload',
    status: [499],
    text: target => post(target, 'Content-Length: 99999', 'a=b'),
    leaves: 'seen',
  },
  { name: 'left-download', status: [499], leaves: 'answered' },
  // Before the origin accepts an upgrade, nothing is read from the client. Its end is noticed at the response.
  { name: 'left-upgrade', status: [499], text: upgrade, leaves: 'asked' },
]

/** All in one packet, by a client that leaves before the first response. */
const pipelined = 4
const each = 12

const at = (name: string) => (view: { readonly path: string }) => view.path.startsWith(`/${name}/`)
const act = (action: 'block' | 'log' | 'managed_challenge', name: string): PlanRule =>
  rule({ kind: 'action', action }, at(name), `${action} ${name}`)

/** @param seen receives the targets that rules see */
function planParts(seen: Set<string>): PlanParts {
  const limit = {
    keyOf: () => '',
    counts: () => true,
    countedAt: 'request',
    periodMs: 10_000,
    max: 0,
    mitigationMs: 0,
  } as const
  const skip = {
    kind: 'skip',
    current: 'phase',
    phases: new Set<never>(),
    rulesets: new Set<never>(),
    products: new Set<never>(),
    excepts: false,
    logs: true,
  } as const
  const custom = [
    rule(skip, at('skipped')),
    act('log', 'logged'),
    act('log', 'logged-blocked'),
    ...['blocked', 'blocked-post', 'skipped', 'logged-blocked', 'switched-blocked'].map(name =>
      act('block', name),
    ),
    act('managed_challenge', 'challenged'),
    rule({ kind: 'action', action: 'block' }, view => {
      seen.add(view.uri)
      if (view.path.startsWith('/mistake/')) throw new Error('a mistake of the test')
      return false
    }),
  ]
  const drops = fakeProgram({ interruption: { ruleId: 1, action: 'drop', status: 403 } })
  const redirects: PlanRule = rule(
    { kind: 'redirect', status: 302, target: () => '/elsewhere', preserveQuery: false },
    at('redirected'),
  )
  return {
    request: [
      planPhase('http_request_dynamic_redirect', { zone: [redirects] }),
      planPhase('http_request_firewall_custom', { zone: custom }),
      planPhase('http_ratelimit', {
        zone: [rule({ kind: 'action', action: 'block', limit }, at('limited'))],
      }),
      planPhase('http_request_firewall_managed', {
        zone: [rule(execution(drops), at('dropped')), rule(execution(fakeProgram({ slices: 2 })))],
      }),
    ],
    response: [rule(execution(fakeProgram()), at('leak'))],
  }
}

test('every request has one record, and its events carry its Ray ID', { timeout: 60_000 }, async t => {
  const seen = new Set<string>()
  const asked = new Set<string>()
  const origin = await startOrigin(t, (request, response) => answer(asked, request, response))
  origin.server.on('upgrade', (request, socket: Duplex) => {
    asked.add(request.url!)
    switchProtocols(request, socket)
  })
  const { edge, port, records, events, audit } = await startEdge(t, planFor(origin.url, planParts(seen)), {
    limits: { originHeadersTimeoutMs: 3000, bodyIdleTimeoutMs: 2000 },
    logger: { warn: () => {}, error: () => {} },
  })
  const clients: Promise<unknown>[] = []
  for (let number = 0; number < each; number++) {
    for (const kind of kinds) clients.push(send(kind, `/${kind.name}/${number}`, port, { seen, asked }))
    clients.push(sendPipelined(number, port, asked))
  }
  await Promise.all(clients)
  const wanted = each * (kinds.length + pipelined)
  await eventually(
    () => edge.stats().active === 0 && records.length >= wanted,
    () => `${records.length} of ${wanted} records, ${edge.stats().active} active`,
  )

  assert.equal(edge.stats().requests, wanted)
  assert.equal(audit.length, wanted)
  const byTarget = new Map(records.map(record => [String(record['ClientRequestURI']), record]))
  assert.equal(records.length, wanted)
  assert.equal(byTarget.size, wanted)
  assert.equal(new Set(records.map(record => record['RayID'])).size, wanted)
  for (const kind of kinds) {
    const suffix = kind.name === 'fragment' ? '#f' : ''
    for (let number = 0; number < each; number++) {
      const target = `/${kind.name}/${number}${suffix}`
      const record = byTarget.get(target)
      assert.ok(record !== undefined, target)
      assert.ok(
        kind.status.includes(record['EdgeResponseStatus'] as number),
        `${target} ${record['EdgeResponseStatus']}`,
      )
      assert.deepEqual(record['SecurityActions'], kind.actions ?? [], target)
      const own = events.filter(event => event['RayID'] === record['RayID'])
      const words = (kind.actions ?? []).map(action => action.toLowerCase())
      assert.deepEqual(
        own.map(event => event['Action']),
        words,
        target,
      )
      assert.deepEqual(
        own.map(event => event['RuleID']),
        record['SecurityRuleIDs'],
        target,
      )
      assert.ok(
        own.every(event => event['ClientRequestPath'] === record['ClientRequestPath']),
        target,
      )
    }
  }
  assert.equal(events.length, each * kinds.reduce((sum, { actions = [] }) => sum + actions.length, 0))
  for (const event of events.filter(event => event['Source'] === 'firewallmanaged')) {
    const { rules, score } = event['Metadata'] as { rules: { total: number }[]; score: number }
    assert.equal(rules.at(-1)?.total ?? 0, score)
  }
})

function answer(asked: Set<string>, request: IncomingMessage, response: ServerResponse): void {
  asked.add(request.url!)
  const kind = request.url!.split('/')[1]!
  request.resume()
  request.on('error', () => {})
  if (kind === 'broken') request.socket.destroy()
  else if (kind === 'cut' || kind === 'left-download') {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('begins')
    if (kind === 'cut') setTimeout(() => response.destroy(), 20)
  } else if (kind === 'leak') response.end('a leak')
  else if (!kind.startsWith('left') && kind !== 'slow-origin' && !isLastOfPipe(request.url!))
    response.end('ok')
}

function switchProtocols({ url }: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {})
  socket.on('end', () => socket.end())
  socket.resume()
  if (url!.startsWith('/switched-refused/'))
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno')
  else if (!url!.startsWith('/left-upgrade/')) {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    if (url!.startsWith('/switched/')) setTimeout(() => socket.end(), 20)
  }
}

async function send(
  { text = get, leaves }: Kind,
  target: string,
  port: number,
  { seen, asked }: { readonly seen: Set<string>; readonly asked: Set<string> },
): Promise<void> {
  const client = new RawClient(port).send(text(target))
  if (leaves === 'seen') await eventually(() => seen.has(target))
  if (leaves === 'asked') await eventually(() => asked.has(target))
  if (leaves === 'answered') await client.until('\r\n\r\n')
  if (leaves === undefined) await client.end()
  else client.socket.destroy()
}

/** The client leaves when it receives 100 Continue. */
function isLastOfPipe(target: string): boolean {
  return target.startsWith('/piped/') && target.endsWith(`/${pipelined - 1}`)
}

async function sendPipelined(number: number, port: number, asked: Set<string>): Promise<void> {
  const targets = Array.from({ length: pipelined }, (_, index) => `/piped/${number}/${index}`)
  const text = targets.map(target => `GET ${target} HTTP/1.1\r\nHost: site.test\r\n\r\n`).join('')
  const client = new RawClient(port).send(text)
  await eventually(() => targets.every(target => asked.has(target)))
  client.socket.destroy()
}
