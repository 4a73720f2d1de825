import type { Checked } from '../../model/problem.ts'
import { accept, refuse } from '../problems.ts'

/** Refuses a `destination_conf`; the reason completes "… is not valid because". */
export function badDestination(reason: string): ReturnType<typeof refuse> {
  return refuse('invalidDestination', `destination_conf is not valid because ${reason}`, '/destination_conf')
}

/** Parameters of a `destination_conf`. A plus stays a plus, as in base64 keys. */
export function destinationQuery(
  text: string | undefined,
  known: readonly string[],
): Checked<URLSearchParams> {
  const query = new URLSearchParams((text ?? '').replaceAll('+', '%2B'))
  const stranger = [...query.keys()].find(name => !known.includes(name))
  if (stranger !== undefined)
    return badDestination(`it has no parameter ${shownName(stranger)}; possible are ${known.join(', ')}`)
  return accept(query)
}

/** A secret with a plain `&` in it continues as the name of an unknown parameter. */
function shownName(name: string): string {
  return /^[a-z]+(?:[-_][a-z]+)*$/.test(name) && name.length <= 32 ? `"${name}"` : 'of that name'
}

/**
 * `manifest=hourly` of an object store.
 * @returns undefined for another value
 */
export function manifestOf(query: URLSearchParams): boolean | undefined {
  const value = query.get('manifest')
  if (value === null) return false
  return value === 'hourly' ? true : undefined
}

export const badManifest = 'manifest can only be hourly'

/** The path of a `destination_conf` as a folder: decoded, without slashes at its ends. */
export function decodedFolder(path: string): string {
  const folder = path.replace(/^\/+|\/+$/g, '')
  try {
    return decodeURIComponent(folder)
  } catch {
    return folder
  }
}
