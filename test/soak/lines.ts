import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { S3Server } from '../support/s3-server.ts'
import { numberOf, requestOf } from './requests.ts'

const quietMs = 120_000
/** After the last line that was waited for, in which no other may come. */
const graceMs = 5000

/** Counts the delivered lines of each request. */
export class Lines {
  objects = 0
  lines = 0
  readonly #seed: number
  readonly #sent: number
  /** By the number of the request. */
  readonly #counts: Uint8Array
  readonly #wrong: string[] = []

  constructor(seed: number, sent: number) {
    this.#seed = seed
    this.#sent = sent
    this.#counts = new Uint8Array(sent)
  }

  /** Reads a bucket until every request has a line, or nothing comes any more. @returns what is wrong */
  async read(s3: S3Server, bucket: string): Promise<string[]> {
    const read = new Set<string>()
    const look = async () => {
      const keys = (await s3.keys(bucket)).filter(key => key.endsWith('.log.gz') && !read.has(key))
      for (const key of keys) {
        read.add(key)
        this.#count(gunzipSync(await s3.read(bucket, key)).toString('utf8'))
      }
      return keys.length > 0
    }
    for (let sinceMs = performance.now(); performance.now() - sinceMs < quietMs; await sleep(1000)) {
      if (await look()) sinceMs = performance.now()
      if (this.lines >= this.#sent) break
    }
    await sleep(graceMs)
    await look()
    this.objects = read.size
    return this.#problems()
  }

  #count(text: string): void {
    for (const line of text.split('\n')) {
      if (line === '') continue
      const { ClientRequestPath: path, EdgeResponseStatus: status } = JSON.parse(line)
      const n = numberOf(path)
      if (n === undefined) continue
      this.lines++
      if (n >= this.#sent) this.#wrong.push(`${path}: a line of no request`)
      else {
        this.#counts[n] = Math.min(255, this.#counts[n]! + 1)
        const wanted = requestOf(this.#seed, n).status
        if (status !== wanted) this.#wrong.push(`${path}: the line says ${status} instead of ${wanted}`)
      }
    }
  }

  #problems(): string[] {
    const problems = [...this.#wrong]
    for (const [n, count] of this.#counts.entries())
      if (count !== 1) problems.push(`${requestOf(this.#seed, n).path}: ${count} lines`)
    return problems
  }
}
