import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** One request to one edge, with its outcome. */
export interface Attempt {
  /** Unique, so that it names its log line. */
  readonly path: string
  readonly edge: string
  /** Undefined: there was no whole answer. */
  readonly status: number | undefined
}

export interface EdgeAddress {
  readonly name: string
  readonly host: string
  readonly port: number
}

const attemptTimeoutMs = 2500
const refusedPath = 'refused'

/** A client as a load balancer is one: an edge that does not answer, or with 5xx, is followed by another. */
export class Traffic {
  readonly attempts: Attempt[] = []
  /** Requests that no edge answered, though some edge could. */
  readonly failures: string[] = []
  readonly #edges: readonly EdgeAddress[]
  readonly #host: string
  readonly #agent = new Agent({ keepAlive: false })
  readonly #pending = new Set<Promise<void>>()
  #isOver = false
  #sent = 0

  constructor(edges: readonly EdgeAddress[], host: string) {
    this.#edges = edges
    this.#host = host
  }

  get sent(): number {
    return this.#sent
  }

  /** Sends so many requests a second, whether or not answers come. A fifth has to be refused by a rule. */
  async run(perSecond: number): Promise<void> {
    for (const startMs = performance.now(); !this.#isOver; await sleep(5)) {
      const due = ((performance.now() - startMs) / 1000) * perSecond
      while (this.#sent < due) {
        const sending = this.#send(this.#sent++).finally(() => this.#pending.delete(sending))
        this.#pending.add(sending)
      }
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#pending)
  }

  async #send(n: number): Promise<void> {
    const kind = n % 5 === 0 ? refusedPath : 'served'
    for (let attempt = 0; attempt < this.#edges.length; attempt++) {
      const edge = this.#edges[(n + attempt) % this.#edges.length]!
      const path = `/${kind}/${n}/${edge.name}`
      const status = await this.#ask(edge, path)
      this.attempts.push({ path, edge: edge.name, status })
      if (status !== undefined && status < 500) return
    }
    this.failures.push(`request ${n} at ${new Date().toISOString()}`)
  }

  /** Every edge, once. */
  async askAll(path: string): Promise<(number | undefined)[]> {
    return Promise.all(this.#edges.map(edge => this.#ask(edge, path)))
  }

  /** Names of the edges that serve requests now. */
  async serving(): Promise<string[]> {
    const statuses = await this.askAll('/served/probe')
    return this.#edges.filter((_, at) => statuses[at] === 200).map(({ name }) => name)
  }

  #ask({ host, port }: EdgeAddress, path: string): Promise<number | undefined> {
    return new Promise(resolve => {
      const headers = { host: this.#host, 'user-agent': 'Mozilla/5.0 (X11; Linux)', accept: '*/*' }
      const options = {
        host,
        port,
        path,
        headers,
        agent: this.#agent,
        signal: AbortSignal.timeout(attemptTimeoutMs),
      }
      const sending = request(options, answer => {
        answer
          .resume()
          .on('end', () => resolve(answer.complete ? answer.statusCode : undefined))
          .on('error', () => resolve(undefined))
      })
      sending.on('error', () => resolve(undefined)).end()
    })
  }
}

/** Whether a rule refuses it. */
export function isToBeRefused({ path }: Attempt): boolean {
  return path.startsWith(`/${refusedPath}/`)
}
