/**
 * The ClientHello: the first message of a TLS connection.
 * @source RFC 8446 4.1.2, RFC 5246 7.4.1.2
 */
export interface ClientHello {
  /** Host name of the extension server_name, in lower case. */
  readonly serverName: string | undefined
  /** Protocols that the client offers (ALPN), as byte strings. */
  readonly protocols: readonly string[]
  /** `client_random`, 32 bytes. */
  readonly random: Buffer
  /** In the order sent, GREASE values included. */
  readonly ciphers: readonly number[]
  readonly extensions: readonly number[]
  readonly signatureAlgorithms: readonly number[]
  /** Versions of supported_versions; without that extension, `legacy_version`. */
  readonly versions: readonly number[]
}

export type HelloRead =
  | { readonly kind: 'hello'; readonly hello: ClientHello }
  /** The message is not complete yet. */
  | { readonly kind: 'partial' }
  /** These bytes do not begin a TLS connection. */
  | { readonly kind: 'malformed' }

const handshakeRecord = 22
const clientHelloMessage = 1
const recordHeadBytes = 5
const messageHeadBytes = 4
/** RFC 8446 5.1: 2^14 bytes of plain text. */
const longestRecordBytes = 16_384

/** Reads a ClientHello that may span several records. @param bytes all bytes of the connection so far */
export function readClientHello(bytes: Buffer): HelloRead {
  const fragments: Buffer[] = []
  let gathered = 0
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== handshakeRecord) return { kind: 'malformed' }
    if (bytes.length > at + 1 && bytes[at + 1] !== 3) return { kind: 'malformed' }
    if (bytes.length < at + recordHeadBytes) return { kind: 'partial' }
    const length = bytes.readUInt16BE(at + 3)
    if (length === 0 || length > longestRecordBytes) return { kind: 'malformed' }
    const fragment = bytes.subarray(at + recordHeadBytes, at + recordHeadBytes + length)
    fragments.push(fragment)
    gathered += fragment.length
    const wanted = wantedBytes(fragments)
    if (wanted === 'malformed') return { kind: 'malformed' }
    if (wanted !== undefined && gathered >= wanted) return parsed(Buffer.concat(fragments, wanted))
    if (fragment.length < length) return { kind: 'partial' }
    at += recordHeadBytes + length
  }
}

/** Length of the message with its head; undefined while the head is not complete. */
function wantedBytes(fragments: readonly Buffer[]): number | 'malformed' | undefined {
  const [first] = fragments
  if (first!.length > 0 && first![0] !== clientHelloMessage) return 'malformed'
  const head = first!.length >= messageHeadBytes ? first! : Buffer.concat(fragments)
  if (head.length < messageHeadBytes) return undefined
  const length = head.readUIntBE(1, 3)
  return length > longestRecordBytes ? 'malformed' : messageHeadBytes + length
}

function parsed(message: Buffer): HelloRead {
  try {
    return { kind: 'hello', hello: parseHello(new Reader(message.subarray(messageHeadBytes))) }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'malformed' }
    throw error
  }
}

function parseHello(reader: Reader): ClientHello {
  const legacyVersion = reader.number(2)
  const random = reader.bytes(32)
  reader.block(1)
  const ciphers = reader.block(2).numbers(2)
  reader.block(1)
  const extensions: number[] = []
  const found = { serverName: undefined as string | undefined, protocols: [] as string[] }
  let versions: readonly number[] = [legacyVersion]
  let signatureAlgorithms: readonly number[] = []
  const list = reader.done ? new Reader(Buffer.alloc(0)) : reader.block(2)
  while (!list.done) {
    const type = list.number(2)
    const content = list.block(2)
    extensions.push(type)
    if (type === extension.serverName) found.serverName = serverNameOf(content)
    else if (type === extension.alpn) found.protocols = protocolsOf(content)
    else if (type === extension.supportedVersions) versions = content.block(1).numbers(2)
    else if (type === extension.signatureAlgorithms) signatureAlgorithms = content.block(2).numbers(2)
  }
  return { ...found, random, ciphers, extensions, versions, signatureAlgorithms }
}

/** Numbers of TLS extensions. */
export const extension = {
  serverName: 0,
  signatureAlgorithms: 13,
  alpn: 16,
  supportedVersions: 43,
} as const

/** RFC 6066 3: the only type of name is host_name, 0. */
function serverNameOf(content: Reader): string | undefined {
  if (content.done) return undefined
  const names = content.block(2)
  while (!names.done) {
    const type = names.number(1)
    const name = names.block(2).text
    if (type === 0) return name.toLowerCase()
  }
  return undefined
}

function protocolsOf(content: Reader): string[] {
  const protocols: string[] = []
  const list = content.block(2)
  while (!list.done) protocols.push(list.block(1).text)
  return protocols
}

/** Reads numbers and length-prefixed blocks in network byte order. Throws RangeError beyond the end. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  get text(): string {
    return this.#bytes.toString('latin1')
  }

  number(size: 1 | 2): number {
    const value = this.#bytes.readUIntBE(this.#at, size)
    this.#at += size
    return value
  }

  bytes(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('the ClientHello ends early')
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  /** @param size bytes of the length before the block */
  block(size: 1 | 2): Reader {
    return new Reader(this.bytes(this.number(size)))
  }

  numbers(size: 1 | 2): number[] {
    const numbers: number[] = []
    while (!this.done) numbers.push(this.number(size))
    return numbers
  }
}
