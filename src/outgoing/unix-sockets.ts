import { posix } from 'node:path'
import { AddressRefusedError } from './policy.ts'

/**
 * Why an origin may not be at this unix socket; undefined when it may. Services of the machine listen at such sockets, and
 * trust everyone who can connect. So the operator names them, and not the people who can change a zone.
 * @param allowed paths of sockets and of directories, from `SLUICE_ORIGIN_SOCKETS`
 */
export function socketProblem(path: string, allowed: readonly string[]): AddressRefusedError | undefined {
  const isPlain = posix.isAbsolute(path) && posix.normalize(path) === path && !path.includes('\0')
  const isAllowed = isPlain && allowed.some(entry => path === entry || path.startsWith(directoryOf(entry)))
  if (isAllowed) return undefined
  return new AddressRefusedError(
    `SLUICE_ORIGIN_SOCKETS does not name the unix socket ${path}, or its directory`,
  )
}

function directoryOf(entry: string): string {
  return entry.endsWith('/') ? entry : `${entry}/`
}
