import { Random } from '../faults/random.ts'

export const host = 'soak.test'
export const servedText = 'served'
/** A rule of the zone refuses paths below it at all times. */
export const refusedPath = '/refused/'

export interface SoakRequest {
  readonly method: 'GET' | 'POST'
  /** Its second segment is the number of the request, so that it names its log line. */
  readonly path: string
  readonly body: string | undefined
  readonly status: number
}

const words = ['river', 'garden', 'copper', 'letter', 'market', 'silver', 'window', 'orange']

/** The n-th request of a run: pages, forms, attacks that the OWASP CRS blocks and paths that a rule blocks. */
export function requestOf(seed: number, n: number): SoakRequest {
  const random = new Random(seed + n)
  const [one, other] = [random.pick(words), random.pick(words)]
  const kind = random.int(0, 9)
  if (kind === 0) return get(`/find/${n}?q=1%27+union+select+${one},${other}+from+users--`, 403)
  if (kind === 1) return get(`${refusedPath}${n}`, 403)
  if (kind < 4) {
    const body = `name=${one}&comment=${other}+${random.int(1, 1000)}&age=${random.int(1, 99)}`
    return { method: 'POST', path: `/form/${n}`, body, status: 200 }
  }
  return get(`/page/${n}?colour=${one}&sort=${other}&at=${random.int(1, 1000)}`, 200)
}

function get(path: string, status: number): SoakRequest {
  return { method: 'GET', path, body: undefined, status }
}

/** @returns undefined for a path that is none of a run's */
export function numberOf(path: string): number | undefined {
  const match = /^\/(?:find|refused|form|page)\/(\d+)$/.exec(path)
  return match === null ? undefined : Number(match[1])
}
