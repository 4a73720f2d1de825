import { unsupportedInCertificate } from '../model/certificate-support.ts'
import type { JsonObject } from '../model/resource.ts'
import { type Coverage, enforced } from './enforcement.ts'
import { blockIn, isGiven, refusedMember } from './planned-values.ts'

/** A `cloudflare_custom_ssl` of a plan or state; version 4 of the provider has a block around its options. */
export function coverPlannedCertificate(values: JsonObject): Coverage {
  const sent = Object.entries(blockIn(values, 'custom_ssl_options') ?? values)
  const given = Object.fromEntries(sent.filter(([, value]) => isGiven(value)))
  return refusedMember(unsupportedInCertificate(given)) ?? enforced
}
