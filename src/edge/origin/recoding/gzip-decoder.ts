import { Transform, type TransformCallback } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'

/** Bytes that are decoded at once, and become at most 4 MiB: gzip shrinks by a factor of up to 1032. */
const sliceBytes = 4096

/**
 * Removes the coding gzip: members one after another (RFC 1952 2.2). Bytes behind them that are no member are left
 * out, as in browsers. zlib's own stream fails there, and drops content that it has already decoded.
 */
export class GzipDecoder extends Transform {
  #member: Gunzip | undefined
  /** A member is complete. */
  #hasMember = false
  /** The current member has content. */
  #hasContent = false
  #isOver = false
  /** Part of the body that `#done` is for. */
  #rest: Buffer = Buffer.alloc(0)
  #done: TransformCallback = () => {}
  /** Bytes of the current member before the slice that is being decoded. */
  #bytesBefore = 0
  #isFull = false
  #isWaiting = false

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = chunk
    this.#done = done
    this.#decode()
  }

  override _flush(done: TransformCallback): void {
    this.#done = done
    if (this.#isOver || this.#member === undefined) done()
    else this.#member.once('end', done).end()
  }

  override _read(size: number): void {
    this.#isFull = false
    if (!this.#isWaiting) {
      super._read(size)
      return
    }
    this.#isWaiting = false
    this.#decode()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#member?.destroy()
    done(error)
  }

  #decode(): void {
    if (this.destroyed) return
    if (this.#isOver || this.#rest.length === 0) {
      this.#done()
      return
    }
    if (this.#isFull) {
      this.#isWaiting = true
      return
    }
    const member = this.#member ?? this.#newMember()
    this.#member = member
    const slice = this.#rest.subarray(0, sliceBytes)
    this.#bytesBefore = member.bytesWritten
    member.write(slice, error => {
      if (error) return
      this.#rest = this.#rest.subarray(slice.length)
      this.#decode()
    })
  }

  #newMember(): Gunzip {
    this.#hasContent = false
    const member = createGunzip({ rejectGarbageAfterEnd: true })
    // Never paused: a stream that fails drops what it holds.
    member.on('data', (part: Buffer) => {
      this.#hasContent = true
      this.#isFull = !this.push(part)
    })
    member.on('error', (error: NodeJS.ErrnoException) => this.#memberFailed(member, error))
    return member
  }

  #memberFailed(member: Gunzip, error: NodeJS.ErrnoException): void {
    if (error.code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') {
      this.#hasMember = true
      this.#member = undefined
      this.#rest = this.#rest.subarray(member.bytesWritten - this.#bytesBefore)
      this.#decode()
    } else if (this.#hasMember && !this.#hasContent) {
      this.#isOver = true
      this.push(null)
      this.#done()
    } else this.destroy(error)
  }
}
