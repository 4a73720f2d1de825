import { open } from 'node:fs/promises'
import type { AuditRecord } from './judge.ts'

/** Follows an audit log and finds the record of a request by its marker header. */
export class AuditLog {
  readonly #path: string
  readonly #byMarker = new Map<string, AuditRecord>()
  #offset = 0
  #rest = ''
  /** One read at a time: they share the offset. */
  #reading = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** Waits for a record; undefined if none arrives in time (then nothing matched, or the request was never read). */
  async find(marker: string, waitMs: number): Promise<AuditRecord | undefined> {
    const deadline = Date.now() + waitMs
    for (;;) {
      this.#reading = this.#reading.then(() => this.#read())
      await this.#reading
      const record = this.#byMarker.get(marker)
      if (record !== undefined || Date.now() > deadline) return record
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  async #read(): Promise<void> {
    let file: Awaited<ReturnType<typeof open>>
    try {
      file = await open(this.#path)
    } catch {
      return
    }
    try {
      const { size } = await file.stat()
      if (size <= this.#offset) return
      const chunk = Buffer.alloc(size - this.#offset)
      const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#offset)
      this.#offset += bytesRead
      this.#take(this.#rest + chunk.subarray(0, bytesRead).toString('latin1'))
    } finally {
      await file.close()
    }
  }

  #take(text: string): void {
    const lines = text.split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) {
      const record = JSON.parse(line) as AuditRecord & {
        request: { headers: readonly (readonly [string, string])[] }
      }
      const marker = record.request.headers.find(([name]) => name.toLowerCase() === 'x-crs-test')?.[1]
      if (marker !== undefined) this.#byMarker.set(marker, record)
    }
  }
}
