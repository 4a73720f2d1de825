import type { Json } from '../resource.ts'
import { edgeCiphers } from '../zone-settings.ts'
import type { Enforcement, ZoneSettingDeclaration } from './declaration.ts'
import { choice, list } from './shapes.ts'

/** Ciphers of Cloudflare that the edge does not speak: without forward secrecy, or without authenticated encryption. */
const weakCiphers = [
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA384',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-RSA-AES256-SHA384',
  'ECDHE-RSA-AES256-SHA',
  'AES128-GCM-SHA256',
  'AES128-SHA256',
  'AES128-SHA',
  'AES256-GCM-SHA384',
  'AES256-SHA256',
  'AES256-SHA',
  'DES-CBC3-SHA',
] as const

/** They are always allowed with TLS 1.3, at Cloudflare too. */
const tls13Ciphers = [
  'AEAD-AES128-GCM-SHA256',
  'AEAD-AES256-GCM-SHA384',
  'AEAD-CHACHA20-POLY1305-SHA256',
] as const

const names = [...edgeCiphers, ...weakCiphers, ...tls13Ciphers]

/**
 * The allowed ciphers of TLS 1.2; an empty list allows all that the edge speaks.
 * @source Cloudflare docs, supported cipher suites
 */
export const ciphers: ZoneSettingDeclaration = {
  shape: list(choice(...names), names.length),
  default: [],
  enforcementOf: enforcementOfCiphers,
}

function enforcementOfCiphers(value: Json): Enforcement {
  const asked = value as readonly string[]
  const weak = asked.filter(name => weakCiphers.some(one => one === name))
  if (asked.length === 0) return { status: 'enforced' }
  if (!asked.some(name => edgeCiphers.some(one => one === name)))
    return { status: 'not_enforced', why: 'the edge speaks none of these ciphers with TLS 1.2' }
  if (weak.length === 0) return { status: 'enforced' }
  return { status: 'partly', how: `the edge does not speak ${weak.join(', ')}` }
}
