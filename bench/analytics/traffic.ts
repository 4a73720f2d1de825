import { Random } from '../support/random.ts'

const source = new Random()
/** From 0 to 1, not included. */
const random = () => source.number(2 ** 30) / 2 ** 30

/** Zones of the database; the first has four events in five. */
export const zones = Array.from({ length: 100 }, (_, n) => n.toString(16).padStart(32, '0'))
export const busyZone = zones[0]!
export const account = 'a'.repeat(32)

const below = (end: number) => source.number(end)
/** Few are common, many are rare. */
const skewed = (end: number) => Math.floor(end * random() ** 3)

const countries = ['us', 'de', 'cn', 'ru', 'nz', 'br', 'in', 'fr', 'nl', 'xx']
const agents = Array.from(
  { length: 400 },
  (_, n) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/${100 + n}.0.0.0 Safari/537.36`,
)
const rules = Array.from({ length: 300 }, (_, n) => ({
  id: (0x9000 + n).toString(16).padStart(32, '5'),
  ref: String(920000 + n * 100),
}))
const actions = ['block', 'block', 'block', 'managedchallenge', 'log']

interface Happening {
  readonly zone: string
  readonly timeMs: number
  readonly action: string
  readonly managed: boolean
  readonly rule: string
  readonly matched: readonly { readonly id: string; readonly ref: string }[]
  readonly ray: string
  readonly client: string
  readonly path: string
}

/** An action of rules on a request at this time. */
export function happening(timeMs: number): Happening {
  const managed = random() < 0.8
  const matched = managed ? Array.from({ length: 1 + below(8) }, () => rules[skewed(rules.length)]!) : []
  return {
    zone: random() < 0.8 ? busyZone : zones[1 + below(zones.length - 1)]!,
    timeMs,
    action: actions[below(actions.length)]!,
    managed,
    rule: managed ? '6179ae15870a4bb7b2d480d4843b323c' : below(40).toString(16).padStart(32, 'c'),
    matched,
    ray: source.hex(16),
    client: `10.${skewed(4)}.${skewed(250)}.${below(250)}`,
    path: random() < 0.7 ? `/p/${skewed(20_000)}` : `/scan/${below(5_000_000).toString(36)}`,
  }
}

/** Its `firewall_events` record, as the log has it. */
export function eventRecord({
  zone,
  timeMs,
  action,
  managed,
  rule,
  matched,
  ray,
  client,
  path,
}: Happening): string {
  const own = { type: 'customer', ruleset_id: 'd'.repeat(32), ruleset_version: '3' }
  const metadata = () => ({
    type: 'managed',
    ruleset_id: '4814384a9e5d4991b9815dcfc25d2f1f',
    ruleset_version: '7',
    version: '7',
    score: 5 * matched.length,
    threshold: 5,
    rules: matched.map(({ id, ref }, at) => ({ id, ref, score: 5, total: 5 * (at + 1), target: 'ARGS:q' })),
  })
  return recordOf(zone, 'firewall_events', {
    ClientASN: 64500,
    ClientCountry: countries[skewed(countries.length)],
    ClientIP: client,
    ClientIPClass: 'noRecord',
    ClientRefererHost: '',
    ClientRefererPath: '',
    ClientRefererQuery: '',
    ClientRefererScheme: 'unknown',
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: random() < 0.8 ? 'GET' : 'POST',
    ClientRequestPath: path,
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestQuery: `?q=${below(1e9).toString(36)}%27%20or%201=1`,
    ClientRequestScheme: 'https',
    ClientRequestUserAgent: agents[skewed(agents.length)],
    Datetime: `${timeMs}000000`,
    EdgeResponseStatus: action === 'log' ? 200 : 403,
    Kind: 'firewall',
    OriginResponseStatus: action === 'log' ? 200 : 0,
    OriginatorRayID: '00',
    RayID: ray,
    ZoneName: 'shop.example',
    Action: action,
    Description: managed ? 'OWASP Core Ruleset' : 'Administration from the office only',
    Metadata: managed ? metadata() : own,
    Ref: '',
    RuleID: rule,
    Source: managed ? 'firewallmanaged' : 'firewallcustom',
    MatchIndex: 0,
  })
}

/** The `http_requests` record of the same request; without `happening`, of a request without an action. */
export function requestRecord(zone: string, timeMs: number, happening?: Happening): string {
  const security = (did: Happening) => ({
    SecurityActions: [did.action],
    SecurityRuleIDs: [did.rule],
    SecuritySources: [did.managed ? 'firewallManaged' : 'firewallCustom'],
    ...(did.action !== 'log' && { SecurityAction: did.action, SecurityRuleID: did.rule }),
    MatchedRules: [
      {
        product: 'firewallManaged',
        rulesetId: '4814384a9e5d4991b9815dcfc25d2f1f',
        rulesetVersion: 7,
        rules: did.matched.map(({ id, ref }) => ({ id, metadata: { ref, score: '5', target: 'ARGS:q' } })),
      },
    ],
  })
  return recordOf(zone, 'http_requests', {
    ZoneName: 'shop.example',
    RayID: happening?.ray ?? source.hex(16),
    ClientCountry: 'de',
    ClientIP: happening?.client ?? `10.1.2.${below(250)}`,
    ClientRequestBytes: 300 + below(500),
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestPath: happening?.path ?? `/p/${skewed(20_000)}`,
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestReferer: 'https://shop.example/',
    ClientRequestURI: `/p/${below(1e6)}?page=${below(50)}`,
    ClientRequestUserAgent: agents[skewed(agents.length)],
    EdgeEndTimestamp: `${timeMs + 20}000000`,
    EdgeResponseBytes: 1000 + below(50_000),
    EdgeResponseStatus: happening === undefined || happening.action === 'log' ? 200 : 403,
    EdgeStartTimestamp: `${timeMs}000000`,
    OriginResponseStatus: happening === undefined || happening.action === 'log' ? 200 : 0,
    OriginResponseDurationMs: below(200),
    ...(happening !== undefined && security(happening)),
    WAFFlags: '',
  })
}

function recordOf(zone: string, dataset: string, fields: object): string {
  return JSON.stringify({ zone, account, dataset, fields })
}
