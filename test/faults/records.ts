import { createHash } from 'node:crypto'
import type { StoredRecord } from '../../src/bus/index.ts'
import { Random } from './random.ts'

/** The name of a record: its writer, the writer's life and the number in that life. The name determines the contents. */
export interface RecordName {
  /** Writing process, 0 to 15. */
  readonly writer: number
  /** From 1; one more after each death. */
  readonly life: number
  /** Partition of the process, 0 to 15. */
  readonly partition: number
  /** From 1. */
  readonly number: number
}

/** The common properties of the records of one seed. */
export interface RecordShape {
  readonly seed: number
  /** Bytes of a field that cannot be compressed much. */
  readonly padBytesMax: number
  /** All are of the first zone and one dataset, so that a job without a filter has every one. */
  readonly uniform: boolean
}

export const accountId = 'a'.repeat(32)
export const otherAccountId = 'b'.repeat(32)
/** The last one belongs to the other account. */
export const zoneIds = ['1', '2', '3'].map(digit => digit.repeat(32))

/** 16 hex digits, as ray ids have. */
export function rayOf({ writer, life, partition, number }: RecordName): string {
  return hex(writer, 1) + hex(partition, 1) + hex(life, 4) + hex(number, 10)
}

export function nameOf(ray: string): RecordName | undefined {
  if (!/^[0-9a-f]{16}$/.test(ray)) return undefined
  return {
    writer: Number.parseInt(ray.slice(0, 1), 16),
    partition: Number.parseInt(ray.slice(1, 2), 16),
    life: Number.parseInt(ray.slice(2, 6), 16),
    number: Number.parseInt(ray.slice(6), 16),
  }
}

export function recordOf({ seed, padBytesMax, uniform }: RecordShape, name: RecordName): StoredRecord {
  const ray = rayOf(name)
  const random = new Random(seed ^ createHash('sha256').update(ray).digest().readUInt32LE(0))
  const anyZone = random.int(0, 2)
  const zone = uniform ? 0 : anyZone
  const status = random.pick([200, 200, 204, 301, 404, 500, 503])
  const method = random.pick(['GET', 'POST', 'PUT'])
  const pad = padding(random, random.int(0, padBytesMax))
  const http = random.chance(0.8) || uniform
  const fields = http
    ? { RayID: ray, EdgeResponseStatus: status, ClientRequestMethod: method, ClientRequestURI: `/${pad}` }
    : { RayID: ray, EdgeResponseStatus: status, Action: 'block', ClientRequestPath: `/${pad}` }
  return {
    zone: zoneIds[zone]!,
    account: zone === 2 ? otherAccountId : accountId,
    dataset: http ? 'http_requests' : 'firewall_events',
    fields,
  }
}

/** Letters, digits, and now and then what CSV and JSON have to escape. */
function padding(random: Random, bytes: number): string {
  const block = Buffer.allocUnsafe(Math.ceil((bytes * 3) / 4 / 4) * 4)
  for (let at = 0; at < block.length; at += 4) block.writeUInt32LE(random.int(0, 2 ** 32 - 1), at)
  return `${random.pick(['', '"', 'é,\n'])}${block.toString('base64url')}`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
