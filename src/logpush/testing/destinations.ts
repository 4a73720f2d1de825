import { tmpdir } from 'node:os'
import type { Reach } from '../../model/settings/index.ts'
import type { DestinationPolicy } from '../types.ts'

/** Files lie where those of the system's tests do. */
export function reaching(reach: Reach): DestinationPolicy {
  return { reach, directory: tmpdir() }
}

export const onThisMachine = reaching('loopback')
