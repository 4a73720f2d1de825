import { EventEmitter } from 'node:events'
import { STATUS_CODES } from 'node:http'
import type { ClientResponse } from '../message/client-response.ts'
import type { HeaderLines } from '../message/headers.ts'

/** A response that another proxy sends: it is kept until its end. */
export class KeptResponse implements ClientResponse {
  readonly events = new EventEmitter()
  status = 0
  headers: HeaderLines = []
  responseBytes = 0
  /** The origin's response, whose body the proxy has. */
  isOrigins = false
  ended = false
  destroyed = false
  readonly needsDrain = false
  readonly isBackedUp = false
  readonly hasInterims = false
  readonly #parts: Buffer[] = []

  get hasLeft(): boolean {
    return this.destroyed
  }

  get headSent(): boolean {
    return this.status !== 0
  }

  get body(): Buffer {
    return Buffer.concat(this.#parts)
  }

  writeHead(status: number, headers: HeaderLines): void {
    this.status = status
    this.headers = headers
    this.responseBytes += `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n\r\n`.length
    for (const [name, value] of headers) this.responseBytes += name.length + value.length + 4
  }

  flushHead(): void {}

  writeInterim(): void {}

  write(part: Uint8Array | string): boolean {
    this.#parts.push(typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))
    this.responseBytes += part.length
    return true
  }

  /** The proxy sends these bytes from elsewhere. */
  count(bytes: number): void {
    this.responseBytes += bytes
  }

  holdLastBytes(): void {}

  prepareEnd(): void {}

  end(): void {
    if (this.ended || this.destroyed) return
    this.ended = true
    this.events.emit('finish')
    this.events.emit('close')
  }

  destroy(): void {
    if (this.ended || this.destroyed) return
    this.destroyed = true
    this.events.emit('close')
  }

  endConnection(): void {}
}
