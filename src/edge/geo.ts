import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'maxmind'
import { edgeLimits } from '../kit/limits.ts'
import type { PlaceView } from '../rulesets/request-view.ts'
import { AddressPlace, type GeoRecord } from './geo-record.ts'

/** The files that tell where an address is: read once, shared by all threads of a process. */
export interface GeoDatabases {
  /** The bundled one, about 8 MB. */
  readonly countries: SharedArrayBuffer
  /** The user's own, in the order in which they are asked. */
  readonly own: readonly SharedArrayBuffer[]
}

/**
 * @param paths files in MaxMind format
 * @throws an error that names the setting and the file, when one cannot be read or is something else
 */
export async function readGeoDatabases(paths: readonly string[]): Promise<GeoDatabases> {
  const countries = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  return {
    countries: await readShared(countries),
    own: await Promise.all(paths.map(readOwn)),
  }
}

async function readOwn(path: string): Promise<SharedArrayBuffer> {
  let content: SharedArrayBuffer
  try {
    content = await readShared(path)
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`SLUICE_GEO_DATABASES: ${path} cannot be read: ${reason}`, { cause: error })
  }
  try {
    new Reader(Buffer.from(content)).get('192.0.2.1')
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`SLUICE_GEO_DATABASES: ${path} is no database in MaxMind format: ${reason}`, {
      cause: error,
    })
  }
  return content
}

async function readShared(path: string): Promise<SharedArrayBuffer> {
  const content = await readFile(path)
  const shared = new SharedArrayBuffer(content.length)
  new Uint8Array(shared).set(content)
  return shared
}

/**
 * @returns tells where an address is, each value when it is asked for. Nothing is known of private addresses and of
 * texts that are no address.
 */
export function placeLookup({ own, countries }: GeoDatabases): (address: string) => PlaceView {
  const readers = [...own, countries].map(recordReader)
  return address => new AddressPlace(address, readers)
}

function recordReader(database: SharedArrayBuffer): (address: string) => GeoRecord | undefined {
  // The types of maxmind know only MaxMind's own databases.
  const reader = new Reader<GeoRecord & CountryResponse>(Buffer.from(database), { cache: new RecordCache() })
  return address => {
    try {
      return reader.get(address) ?? undefined
    } catch {
      // Not an address, such as the peer of a connection that is gone.
      return undefined
    }
  }
}

/** Decoded records by their place in the file: many addresses share one. */
class RecordCache {
  readonly #records = new Map<string | number, unknown>()

  get(key: string | number): unknown {
    return this.#records.get(key)
  }

  set(key: string | number, record: unknown): void {
    if (this.#records.size >= edgeLimits.geoRecordsMax) this.#records.clear()
    this.#records.set(key, record)
  }
}
