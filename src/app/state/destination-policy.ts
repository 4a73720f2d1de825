import { join } from 'node:path'
import type { DestinationPolicy } from '../../logpush/index.ts'
import type { Settings } from '../../model/settings/index.ts'

/** The destinations that jobs of this process may use. */
export function destinationPolicy({ data, destinations, destinationDirectory }: Settings): DestinationPolicy {
  return { reach: destinations, directory: destinationDirectory ?? join(data, 'exports') }
}
