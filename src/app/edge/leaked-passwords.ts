import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** The variable of the list, for messages. */
const variable = 'SLUICE_LEAKED_PASSWORDS'
const windowBytes = 4096
/** A hash, and a count of up to 20 digits between `:` and a line end. */
const line = /^([0-9A-Fa-f]{40})(?::\d{1,20})?\r?$/

/**
 * A file of leaked passwords in the format of Pwned Passwords: SHA-1 hashes in order, a line each, with an optional
 * count (`5BAA61E4…:10437277`). It stays on disk; a look-up reads a window of it for each halving.
 */
export class LeakedPasswords {
  readonly #file: FileHandle
  readonly #bytes: number

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.#bytes = bytes
  }

  /** @throws Error that names the setting, when the file cannot be read or has another format */
  static async open(path: string): Promise<LeakedPasswords> {
    const file = await open(path).catch(error => {
      throw new Error(`${variable}: ${path} cannot be read: ${error.code ?? error.message}`, { cause: error })
    })
    const list = new LeakedPasswords(file, (await file.stat()).size)
    const head = await list.#read(0)
    const first = head.slice(0, 2).map(text => line.exec(text)?.[1]?.toUpperCase())
    const isSorted = first.length === 0 || (first[0] !== undefined && (first[1] ?? 'G') > first[0])
    if (isSorted && first.every(hash => hash !== undefined)) return list
    await file.close()
    throw new Error(
      `${variable}: ${path} is not a list of Pwned Passwords: each line has to be a SHA-1 in hex, in ascending order`,
    )
  }

  /** @param password byte string @throws Error of the file system */
  async has(password: string): Promise<boolean> {
    const wanted = createHash('sha1').update(Buffer.from(password, 'latin1')).digest('hex').toUpperCase()
    // The line, if there is one, begins at `low` or later, and before `high`. A line begins at `low`.
    let low = 0
    let high = this.#bytes
    while (high - low > windowBytes / 2) {
      const middle = Math.floor((low + high) / 2)
      const begin = await this.#lineAfter(middle)
      if (begin === undefined || begin.at >= high) {
        // No line begins after the middle; one may begin there.
        high = middle + 1
        continue
      }
      if (begin.hash === wanted) return true
      if (begin.hash < wanted) low = begin.at
      else high = begin.at
    }
    return (await this.#read(low)).some(text => line.exec(text)?.[1]?.toUpperCase() === wanted)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** The first line that begins after an offset. */
  async #lineAfter(offset: number): Promise<{ readonly at: number; readonly hash: string } | undefined> {
    const text = await this.#window(offset)
    const end = text.indexOf('\n')
    const [, hash] = line.exec(text.slice(end + 1).split('\n', 1)[0]!) ?? []
    return end === -1 || hash === undefined ? undefined : { at: offset + end + 1, hash: hash.toUpperCase() }
  }

  /** The lines from the beginning of one. */
  async #read(offset: number): Promise<readonly string[]> {
    return (await this.#window(offset)).split('\n').filter(text => text !== '')
  }

  async #window(offset: number): Promise<string> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(windowBytes), 0, windowBytes, offset)
    return buffer.toString('latin1', 0, bytesRead)
  }
}
