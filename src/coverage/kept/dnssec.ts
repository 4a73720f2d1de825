import { Type } from 'typebox'
import type { JsonObject } from '../../model/resource.ts'
import { closed, type KeptSingleton, oneOf } from './kind.ts'

const why = 'Sluice is not a name server'
const flag = Type.Optional(Type.Boolean())

/** Members of a key, which a zone without signatures does not have. */
const noKey = {
  algorithm: null,
  digest: null,
  digest_algorithm: null,
  digest_type: null,
  ds: null,
  flags: null,
  key_tag: null,
  key_type: null,
  public_key: null,
}

/** @source Cloudflare API, DNSSEC */
export const dnssec: KeptSingleton = {
  kind: 'dnssec',
  terraform: 'cloudflare_zone_dnssec',
  noun: 'the DNSSEC of a zone',
  scope: 'zone',
  path: '/dnssec',
  write: 'PATCH',
  isReset: true,
  body: Type.Object(
    {
      dnssec_multi_signer: flag,
      dnssec_presigned: flag,
      dnssec_use_nsec3: flag,
      status: Type.Optional(oneOf('active', 'disabled')),
    },
    closed,
  ),
  defaults: { status: 'disabled' },
  computed: ({ modifiedOn }) => ({ ...noKey, modified_on: modifiedOn === '' ? null : modifiedOn }),
  withoutMeaning: document =>
    Object.keys(document)
      .filter(name => document[name] !== false && document[name] !== 'disabled')
      .map(name => ({ pointer: `/${name}`, what: name === 'status' ? 'DNSSEC' : name, why })),
  fromTerraform,
  why,
}

/** Version 4 of the provider has no status: its resource turns DNSSEC on. */
function fromTerraform({ status }: JsonObject): JsonObject {
  return { status: status ?? 'active' }
}
