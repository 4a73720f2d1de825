import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Level, levels, type Release } from '../support/program.ts'
import { Random } from '../support/random.ts'
import type { RequestShape } from '../support/request-shapes.ts'
import { wireBytes } from '../support/sample-request.ts'
import { apachePeer } from './apache.ts'
import { Client } from './client.ts'
import { nginxPeer } from './nginx.ts'
import { obtainPeers } from './packages.ts'
import { detectionOnly, probeHeader, writeRules } from './rules.ts'
import { type Peer, type PeerServer, stopServersAtExit } from './server.ts'

/** The cost of the rules in a peer, in microseconds of processor time per request. */
export interface PeerFigures {
  readonly name: string
  /** By level, then by the name of the shape. */
  readonly byLevel: ReadonlyMap<Level, ReadonlyMap<string, number>>
}

const measuredMs = 1500
/** However long a request takes. */
const requestsMin = 10
/** Requests that are sent repeatedly. */
const requestsOfShape = 64

/**
 * Sends the shapes to nginx and Apache with ModSecurity: the processor time of their one worker with the rules, minus
 * its time without them.
 * @throws Error with the reason why there are no peers
 */
export async function measurePeers(
  release: Release,
  shapes: readonly RequestShape[],
): Promise<readonly PeerFigures[]> {
  const packages = await obtainPeers()
  stopServersAtExit()
  const figures: PeerFigures[] = []
  for (const peer of [nginxPeer(packages), apachePeer(packages)]) {
    const without = await costs(peer, release, undefined, shapes)
    const byLevel = new Map<Level, ReadonlyMap<string, number>>()
    for (const level of levels) {
      const whole = await costs(peer, release, level, shapes)
      byLevel.set(level, new Map([...whole].map(([name, cost]) => [name, cost - without.get(name)!])))
    }
    figures.push({ name: peer.name, byLevel })
  }
  return figures
}

async function costs(
  peer: Peer,
  release: Release,
  level: Level | undefined,
  shapes: readonly RequestShape[],
): Promise<ReadonlyMap<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-peer-'))
  try {
    const rules = level === undefined ? undefined : await writeRules(release, level, directory, detectionOnly)
    const server = await peer.start(rules, directory)
    try {
      if (level !== undefined) await assertRulesInForce(peer, server)
      const byShape = new Map<string, number>()
      for (const shape of shapes) byShape.set(shape.name, await costOf(shape, server))
      return byShape
    } finally {
      await server.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function assertRulesInForce({ name }: Peer, server: PeerServer): Promise<void> {
  const client = await Client.connect(server.port)
  const attack = `GET /?q=../../../../etc/passwd HTTP/1.1\r\nHost: www.example.com\r\n${probeHeader}\r\n\r\n`
  const status = await client.send(Buffer.from(attack))
  client.close()
  if (status !== 403) throw new Error(`${name} answers an attack with ${status}: its rules are not in force`)
}

async function costOf(shape: RequestShape, server: PeerServer): Promise<number> {
  const random = new Random()
  const requests = Array.from({ length: requestsOfShape }, () => wireBytes(shape.make(random)))
  const client = await Client.connect(server.port)
  for (const request of requests.slice(0, requestsMin)) await client.send(request)
  const start = server.cpuMicroseconds()
  const end = performance.now() + measuredMs
  let count = 0
  while (count < requestsMin || performance.now() < end) {
    await client.send(requests[count++ % requestsOfShape]!)
  }
  const used = server.cpuMicroseconds() - start
  client.close()
  return used / count
}
