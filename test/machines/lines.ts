import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { s3Credentials } from '../support/s3-server.ts'
import { bucket } from './cluster.ts'
import { type Attempt, isToBeRefused } from './traffic.ts'

/** A line as the job delivers it. */
export interface Line {
  readonly ClientRequestPath: string
  readonly EdgeResponseStatus: number
  readonly RayID: string
}

/** Reads the objects of a bucket as they come, each once. */
export class Delivered {
  readonly lines: Line[] = []
  readonly #client: S3Client
  readonly #read = new Set<string>()

  constructor(endpoint: string) {
    const region = 'us-east-1'
    this.#client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: s3Credentials })
  }

  get objects(): number {
    return this.#read.size
  }

  /** @returns whether there was something new */
  async look(): Promise<boolean> {
    let isNew = false
    for (let token: string | undefined; ; ) {
      const listed = await this.#client.send(
        new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }),
      )
      for (const { Key: key } of listed.Contents ?? []) {
        if (!key!.endsWith('.log.gz') || this.#read.has(key!)) continue
        this.#read.add(key!)
        isNew = true
        const object = await this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        const text = gunzipSync(await object.Body!.transformToByteArray()).toString('utf8')
        for (const line of text.split('\n')) if (line !== '') this.lines.push(JSON.parse(line))
      }
      token = listed.NextContinuationToken
      if (token === undefined) return isNew
    }
  }

  /** Resolves when a line for each of these is there, or nothing comes any more. */
  async wait(attempts: readonly Attempt[], quietMs: number): Promise<void> {
    const wanted = attempts.filter(needsLine)
    for (let sinceMs = performance.now(); performance.now() - sinceMs < quietMs; await sleep(1000)) {
      if (await this.look()) sinceMs = performance.now()
      const paths = new Set(this.lines.map(line => line.ClientRequestPath))
      if (wanted.every(({ path }) => paths.has(path))) break
    }
    // And then no more.
    await sleep(5000)
    await this.look()
  }
}

/** A request that an edge refused with 503 may have found no space for its record. */
function needsLine({ status }: Attempt): boolean {
  return status !== undefined && status !== 503
}

/** A sentence for each request whose rule or line is wrong. */
export function problemsOf(attempts: readonly Attempt[], lines: readonly Line[]): string[] {
  const problems: string[] = []
  const byPath = Map.groupBy(lines, line => line.ClientRequestPath)
  for (const attempt of attempts) {
    const { path, status } = attempt
    const found = byPath.get(path) ?? []
    byPath.delete(path)
    if (isToBeRefused(attempt) && status !== undefined && status < 400)
      problems.push(`${path}: the rule was off, the status is ${status}`)
    if (found.length > 1) problems.push(`${path}: ${found.length} lines`)
    if (found.length === 0 && needsLine(attempt))
      problems.push(`${path}: answered with ${status}, without a line`)
    if (found.length === 1 && status !== undefined && found[0]!.EdgeResponseStatus !== status)
      problems.push(`${path}: answered with ${status}, and its line says ${found[0]!.EdgeResponseStatus}`)
  }
  for (const path of byPath.keys()) problems.push(`${path}: a line of no request`)
  return problems
}
