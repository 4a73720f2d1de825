import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { KafkaReader, KafkaWriter, readRecordBatch } from './kafka-wire.ts'
import { serverCertificate, serverKey, trust } from './receiver.ts'
import { type ScramExchange, type ScramMechanism, startScram } from './scram.ts'

export interface KafkaMessage {
  readonly partition: number
  readonly key: string
  readonly value: string
}

/** One broker with one topic. */
export interface KafkaBroker {
  /** `127.0.0.1:PORT` */
  readonly address: string
  readonly messages: KafkaMessage[]
  /** The advertised address; clients connect there after their first request. */
  advertised: { host: string; port: number }
  /**
   * Error code of one produce request or of all, before or after its messages are written, once the topic holds so
   * many.
   */
  fails: { code: number; written: boolean; once?: true; afterMessages?: number } | undefined
  /** Maximum of a record batch, as max.message.bytes of the topic sets it. */
  messageBytesMax: number
  /** Its message in a SCRAM exchange, to test wrong ones. */
  scramSays: (message: string) => string
  /** It closes the connection instead of answering the user's credentials. */
  breaksAuthentication: boolean
  /** Faults that it found in requests. */
  readonly problems: string[]
}

export interface KafkaCredentials {
  readonly username: string
  readonly password: string
  /** `PLAIN` unless it is said. */
  readonly mechanism?: 'PLAIN' | ScramMechanism
}

/** One connection. */
interface Session {
  authenticated: boolean
  scram?: ScramExchange
}

const topic = 'logs'
const requestBytesMax = 100 * 1024 * 1024
const usualMessageBytesMax = 1_048_588
const codes = {
  unknownTopic: 3,
  messageTooLarge: 10,
  corrupt: 2,
  outOfOrder: 45,
  unsupportedVersion: 35,
  sasl: 58,
  mechanism: 33,
  noSasl: 34,
}

/** API → the versions that are spoken, lowest and highest. */
const versions = new Map<number, readonly [number, number]>([
  [0, [3, 3]],
  [3, [4, 4]],
  [17, [1, 1]],
  [18, [0, 1]],
  [22, [1, 1]],
  [36, [1, 1]],
])

/**
 * A broker at the wire: ApiVersions, SaslHandshake and SaslAuthenticate (PLAIN and SCRAM), Metadata, InitProducerId and Produce.
 * Record batches are checked (magic, CRC-32C, producer, sequence, size); a sequence that was written is not written again.
 * @source Apache Kafka protocol guide; record batch format of magic 2
 */
export async function startKafka(
  t: TestContext,
  credentials?: KafkaCredentials,
  {
    tls = false,
    trusted = true,
    partitions = 2,
  }: { readonly tls?: boolean; readonly trusted?: boolean; readonly partitions?: number } = {},
): Promise<KafkaBroker> {
  /** Next sequence by producer and partition. */
  const sequences = new Map<string, number>()
  let producers = 0
  const broker: KafkaBroker = {
    address: '',
    messages: [],
    advertised: { host: '127.0.0.1', port: 0 },
    fails: undefined,
    messageBytesMax: usualMessageBytesMax,
    scramSays: message => message,
    breaksAuthentication: false,
    problems: [],
  }
  const sockets = new Set<Socket>()
  const mechanism = credentials?.mechanism ?? 'PLAIN'
  const serve = (socket: Socket) => {
    sockets.add(socket)
    const session: Session = { authenticated: credentials === undefined }
    let pending: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      pending = Buffer.concat([pending, data])
      // Other protocols, such as the beginning of TLS, read as an endless request.
      if (pending.length >= 4 && pending.readInt32BE(0) > requestBytesMax) return socket.destroy()
      while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE(0)) {
        const end = 4 + pending.readInt32BE(0)
        const request = pending.subarray(4, end)
        pending = pending.subarray(end)
        try {
          socket.write(answer(new KafkaReader(request), session))
        } catch (error) {
          broker.problems.push(String(error))
          socket.destroy()
        }
      }
    })
  }
  if (tls && trusted) trust(t)
  const server = tls
    ? createTlsServer({ key: serverKey, cert: serverCertificate }, serve)
    : createServer(serve)

  const answer = (request: KafkaReader, session: Session): Buffer => {
    const api = request.int16()
    const version = request.int16()
    const reply = new KafkaWriter().int32(request.int32())
    request.string()
    const [lowest, highest] = versions.get(api) ?? [0, -1]
    if (version < lowest || version > highest) {
      if (api !== 18) throw new Error(`version ${version} of API ${api}`)
      return reply.int16(codes.unsupportedVersion).int32(0).framed()
    }
    if (!session.authenticated && ![17, 18, 36].includes(api))
      throw new Error(`API ${api} before authentication`)
    switch (api) {
      case 0:
        return produce(request, reply)
      case 3:
        return metadata(request, reply)
      case 17:
        return reply.int16(handshakeCode(request.string())).strings([mechanism]).framed()
      case 18:
        return apiVersions(reply)
      case 22:
        return reply.int32(0).int16(0).int64(BigInt(++producers)).int16(0).framed()
      default:
        return authenticate(request, reply, session)
    }
  }
  const handshakeCode = (name: string | null): number => {
    if (credentials === undefined) return codes.noSasl
    return name === mechanism ? 0 : codes.mechanism
  }
  const apiVersions = (reply: KafkaWriter) => {
    reply.int16(0).int32(versions.size)
    for (const [key, [lowest, highest]] of versions) reply.int16(key).int16(lowest).int16(highest)
    return reply.int32(0).framed()
  }
  const authenticate = (request: KafkaReader, reply: KafkaWriter, session: Session) => {
    if (broker.breaksAuthentication) throw new Error('it was told to break')
    const said = saslAnswer(request.bytes().toString('utf8'), session)
    if (said === undefined)
      return reply.int16(codes.sasl).string('wrong').bytes(Buffer.alloc(0)).int64(0n).framed()
    return reply.int16(0).string(null).bytes(Buffer.from(said)).int64(0n).framed()
  }
  /** Undefined when the user is not taken. */
  const saslAnswer = (message: string, session: Session): string | undefined => {
    if (credentials === undefined || mechanism === 'PLAIN') {
      const [, username, password] = message.split('\0')
      session.authenticated = username === credentials?.username && password === credentials?.password
      return session.authenticated ? '' : undefined
    }
    if (session.scram === undefined) {
      session.scram = startScram(mechanism, credentials)
      return broker.scramSays(session.scram.first(message))
    }
    const said = session.scram.final(message)
    session.authenticated = said !== undefined
    return said === undefined ? undefined : broker.scramSays(said)
  }
  const metadata = (request: KafkaReader, reply: KafkaWriter) => {
    const topics = request.array(() => request.string())
    reply.int32(0).int32(1).int32(1).string(broker.advertised.host).int32(broker.advertised.port).string(null)
    reply.string('cluster').int32(1).int32(topics.length)
    for (const name of topics) {
      const known = name === topic
      reply
        .int16(known ? 0 : codes.unknownTopic)
        .string(name)
        .int8(0)
        .int32(known ? partitions : 0)
      for (let n = 0; known && n < partitions; n++)
        reply.int16(0).int32(n).int32(1).int32(1).int32(1).int32(1).int32(1)
    }
    return reply.framed()
  }
  const produce = (request: KafkaReader, reply: KafkaWriter) => {
    request.string()
    if (request.int16() !== -1) throw new Error('acks are not those of all replicas')
    request.int32()
    const written = request.array(() => ({
      name: request.string(),
      partitions: request.array(() => ({ index: request.int32(), batch: request.bytes() })),
    }))
    reply.int32(written.length)
    for (const { name, partitions: data } of written) {
      reply.string(name).int32(data.length)
      for (const { index, batch } of data)
        reply
          .int32(index)
          .int16(name === topic ? append(index, batch) : codes.unknownTopic)
          .int64(0n)
          .int64(-1n)
    }
    if (broker.fails?.once) broker.fails = undefined
    return reply.int32(0).framed()
  }
  const append = (partition: number, bytes: Buffer): number => {
    const failure = broker.messages.length < (broker.fails?.afterMessages ?? 0) ? undefined : broker.fails
    if (failure !== undefined && !failure.written) return failure.code
    if (bytes.length > broker.messageBytesMax) return codes.messageTooLarge
    const batch = readRecordBatch(bytes)
    if (batch === undefined || batch.producerId < 1n || batch.producerId > BigInt(producers))
      return codes.corrupt
    const key = `${batch.producerId} ${partition}`
    const next = sequences.get(key) ?? 0
    if (batch.sequence > next) return codes.outOfOrder
    if (batch.sequence === next) {
      sequences.set(key, next + batch.records.length)
      for (const record of batch.records) broker.messages.push({ partition, ...record })
    }
    return failure?.code ?? 0
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as { port: number }
  broker.advertised = { host: '127.0.0.1', port }
  return Object.assign(broker, { address: `127.0.0.1:${port}` })
}
