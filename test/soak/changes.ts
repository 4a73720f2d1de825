import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { protect } from '../../bench/support/edge-zones.ts'
import type { Random } from '../faults/random.ts'
import { api, type Instance } from '../support/sluice.ts'
import { host, refusedPath } from './requests.ts'

const everyMs = 1000
const inForceMsMax = 10_000
const listItems = 100

/** A change every second, each of another kind in turns. None alters the answer to a request of the load. */
export class Changes {
  made = 0
  readonly failures: string[] = []
  /** Between the request that changes a rule and its first effect. */
  readonly inForceMs: number[] = []
  readonly #sluice: Instance
  readonly #zone: string
  readonly #random: Random
  readonly #kinds = [
    () => this.#changeRules(),
    () => this.#changeOverrides(),
    () => this.#changeSettings(),
    () => this.#changeList(),
  ]
  #account = ''
  #list = ''
  #isOver = false

  /** @param zone its path in the API */
  constructor(sluice: Instance, zone: string, random: Random) {
    this.#sluice = sluice
    this.#zone = zone
    this.#random = random
  }

  /** Makes the list, and each change once, before the load. */
  async begin(): Promise<void> {
    const accounts = (await this.#done('GET', '/accounts')) as { id: string }[]
    this.#account = `/accounts/${accounts[0]!.id}`
    const list = await this.#done('POST', `${this.#account}/rules/lists`, { kind: 'ip', name: 'refused' })
    this.#list = (list as { id: string }).id
    for (const make of this.#kinds) await make()
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const startMs = performance.now()
      try {
        await this.#kinds[turn % this.#kinds.length]!()
        this.made++
      } catch (error) {
        this.failures.push(`${new Date().toISOString()} ${(error as Error).message}`)
      }
      await sleep(Math.max(0, everyMs - (performance.now() - startMs)))
    }
  }

  end(): void {
    this.#isOver = true
  }

  async #changeRules(): Promise<void> {
    const path = `/now/${this.#random.int(0, 2 ** 31)}`
    const block = (expression: string) => ({ action: 'block', expression })
    const below = (start: string) => block(`starts_with(http.request.uri.path, "${start}")`)
    const startMs = performance.now()
    const rules = [below(refusedPath), below(path), block('ip.src in $refused')]
    await this.#done('PUT', `${this.#zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules,
    })
    while ((await this.#statusOf(path)) !== 403) {
      if (performance.now() - startMs > inForceMsMax) throw new Error(`the rule for ${path} is not in force`)
      await sleep(10)
    }
    this.inForceMs.push(performance.now() - startMs)
  }

  #changeOverrides(): Promise<void> {
    return protect(this.#sluice, this.#zone, this.#random.int(1, 2), this.#random.int(5, 10))
  }

  async #changeSettings(): Promise<void> {
    const value = this.#random.pick(['1.2', '1.3'])
    await this.#done('PATCH', `${this.#zone}/settings/min_tls_version`, { value })
  }

  async #changeList(): Promise<void> {
    const items = Array.from({ length: listItems }, (_, at) => ({
      ip: `192.0.${at}.${this.#random.int(0, 255)}`,
    }))
    const lists = `${this.#account}/rules/lists`
    const begun = await this.#done('PUT', `${lists}/${this.#list}/items`, items)
    const operation = `${lists}/bulk_operations/${(begun as { operation_id: string }).operation_id}`
    for (;;) {
      const { status, error } = (await this.#done('GET', operation)) as { status: string; error?: string }
      if (status === 'completed') return
      if (status === 'failed') throw new Error(`the list did not change: ${error}`)
      await sleep(50)
    }
  }

  async #statusOf(path: string): Promise<number> {
    const { statusCode, body } = await request(`${this.#sluice.edgeUrl}${path}`, { headers: { host } })
    await body.dump()
    return statusCode
  }

  async #done(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await api(this.#sluice, method, path, body)
    if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer.errors)}`)
    return answer.result
  }
}
