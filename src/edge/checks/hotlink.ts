import { hostNameOf } from '../../kit/host-name.ts'
import { pathReadings } from '../../rulesets/fields/normalized-path.ts'
import type { RequestState } from '../exchange/request-state.ts'

/** @source Cloudflare docs, Hotlink Protection: supported file extensions */
const image = /\.(?:gif|ico|jpe?g|png|webp)$/i

/** Below such a directory, or in such a name, images are for everyone. @source Cloudflare docs, Hotlink Protection */
const exempt = 'hotlink-ok'

/**
 * A page of another site shows an image of this zone. Requests without Referer pass: people open images themselves, and
 * browsers may leave the header out.
 * @param zoneName pages of the zone and of names below it may show its images
 */
export function isHotlink({ request, path }: RequestState, zoneName: string): boolean {
  const readings = pathReadings(path)
  if (!readings.some(reading => image.test(reading))) return false
  if (readings.every(reading => reading.includes(exempt))) return false
  const referer = request.header('referer')
  if (referer === undefined || referer.trim() === '') return false
  const authority = /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]*)/i.exec(referer)?.[1]
  if (authority === undefined) return false
  const host = hostNameOf(authority).toLowerCase()
  return (
    host !== zoneName && !host.endsWith(`.${zoneName}`) && host !== hostNameOf(request.host).toLowerCase()
  )
}
