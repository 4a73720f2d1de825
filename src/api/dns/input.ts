import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@fastify/type-provider-typebox'
import { type DnsRecord, dnsRecordTypes } from '../../model/dns-record.ts'
import type { JsonObject, Zone } from '../../model/resource.ts'
import { refusal } from '../http/errors.ts'
import { json, nullable, record, strict } from '../http/schemas.ts'
import { type OriginBounds, originFault } from '../zones/origin-address.ts'
import {
  asciiName,
  contentFault,
  contentOf,
  dataFault,
  hasData,
  isNameOrWildcard,
  isWithin,
  typesWithPriority,
} from './content.ts'
import { dnsLimits } from './limits.ts'
import { isProxiable } from './wire.ts'

const some = Type.Optional
const limits = dnsLimits

/** Clients may send records as they received them; the members of the response that they cannot set are ignored. */
const ignored = {
  proxiable: some(json),
  meta: some(json),
  created_on: some(json),
  modified_on: some(json),
  comment_modified_on: some(json),
  tags_modified_on: some(json),
  zone_id: some(json),
  zone_name: some(json),
}

const members = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  type: Type.Enum([...dnsRecordTypes]),
  content: some(Type.String({ maxLength: limits.contentCharactersMax })),
  ttl: some(Type.Integer()),
  proxied: some(Type.Boolean()),
  priority: some(Type.Integer({ minimum: 0, maximum: 65_535 })),
  data: some(record(50, json)),
  settings: some(
    nullable(
      Type.Object(
        {
          ipv4_only: some(nullable(Type.Boolean())),
          ipv6_only: some(nullable(Type.Boolean())),
          flatten_cname: some(nullable(Type.Boolean())),
        },
        strict,
      ),
    ),
  ),
  private_routing: some(Type.Boolean()),
  comment: some(nullable(Type.String({ maxLength: limits.commentCharactersMax }))),
  tags: some(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.tagCharactersMax }), {
        maxItems: limits.tagsPerRecordMax,
      }),
    ),
  ),
}

export const dnsRecordBody = Type.Object({ ...members, ...ignored, id: some(json) }, strict)
export const dnsRecordPatch = Type.Object(
  { ...Type.Partial(Type.Object(members)).properties, ...ignored, id: some(json) },
  strict,
)

export type RecordInput = Static<typeof dnsRecordBody>
export type RecordPatch = Static<typeof dnsRecordPatch>

/** The zone and the moment of a change. */
export interface RecordContext {
  readonly zone: Zone
  readonly bounds: OriginBounds
  readonly now: string
  /** Path of the record in the request's body, for errors. */
  readonly pointer: string
}

/** A changed record with all its members as input; a patch replaces some of them. */
function asInput(record: DnsRecord): RecordInput {
  const { name, type, content, ttl, proxied, priority, data, settings, privateRouting, comment, tags } =
    record
  return {
    name,
    type,
    ttl,
    proxied,
    settings,
    comment,
    tags: [...tags],
    ...(data === undefined ? { content } : { data }),
    ...(priority === undefined ? {} : { priority }),
    ...(privateRouting === undefined ? {} : { private_routing: privateRouting }),
  }
}

/** A patch that changes the type drops what only the former type has. The priority may be in the patch's `data`. */
export function patched(record: DnsRecord, { ...patch }: RecordPatch): RecordInput {
  const former = asInput(record)
  const { priority: _priority, ...others } = former
  if (patch.type === undefined || patch.type === record.type)
    return { ...(patch.data?.['priority'] === undefined ? former : others), ...patch }
  const { data: _data, ...kept } = others
  return { ...kept, ...patch }
}

/**
 * The record that an input describes.
 * @param former the stored record that it replaces
 * @throws ApiError 400
 */
export function recordFrom(
  input: RecordInput,
  context: RecordContext,
  id: string,
  former: DnsRecord | undefined,
): DnsRecord {
  const { now, zone } = context
  const { type, private_routing: privateRouting, comment = null } = input
  const tags = input.tags ?? []
  const proxied = input.proxied ?? false
  if (proxied && !isProxiable(type)) throw invalid('dnsNotProxiable', { type }, context, '/proxied')
  const record: DnsRecord = {
    id,
    zoneId: zone.id,
    name: recordName(input.name, context),
    type,
    ...contentFrom(input, context),
    ttl: proxied ? 1 : ttlFrom(input.ttl ?? 1, context),
    proxied,
    settings: settingsFrom(input),
    ...(privateRouting === undefined ? {} : { privateRouting }),
    comment,
    tags,
    createdOn: former?.createdOn ?? now,
    modifiedOn: now,
    ...(comment === null || comment === ''
      ? {}
      : { commentModifiedOn: (former?.comment === comment && former.commentModifiedOn) || now }),
    ...(tags.length === 0
      ? {}
      : { tagsModifiedOn: (isDeepStrictEqual(former?.tags, tags) && former?.tagsModifiedOn) || now }),
  }
  requireReachable(record, context)
  // A write that changes nothing leaves the times as they are.
  return former !== undefined && isDeepStrictEqual({ ...record, modifiedOn: former.modifiedOn }, former)
    ? former
    : record
}

type Invalid = 'dnsNameInvalid' | 'dnsContentInvalid' | 'dnsTtlInvalid' | 'dnsNotProxiable'

function invalid(
  error: Invalid,
  values: Readonly<Record<string, string>>,
  { pointer }: RecordContext,
  member: string,
): Error {
  return refusal(error, values, pointer + member)
}

/** `@`, a name below the zone or a complete name. */
function recordName(typed: string, context: RecordContext): string {
  const { zone } = context
  const name = asciiName(typed.replace(/\.$/, ''))
  const isWhole = isWithin(name, zone.name)
  const whole = name === '@' ? zone.name : isWhole ? name : `${name}.${zone.name}`
  if ((isWhole || !typed.endsWith('.')) && isNameOrWildcard(whole)) return whole
  throw invalid('dnsNameInvalid', { name: typed.slice(0, 100) }, context, '/name')
}

function contentFrom(
  { type, content, data, priority }: RecordInput,
  context: RecordContext,
): Pick<DnsRecord, 'content' | 'data' | 'priority'> {
  if (!hasData(type)) {
    if (content === undefined)
      throw refusal('missingField', { field: 'content' }, `${context.pointer}/content`)
    const reason = contentFault(type, content)
    if (reason !== undefined) throw invalid('dnsContentInvalid', { type, reason }, context, '/content')
    return { content, ...priorityOf(type, priority) }
  }
  if (data === undefined) throw refusal('missingField', { field: 'data' }, `${context.pointer}/data`)
  const parts = data as JsonObject
  const fault = dataFault(type, parts)
  if (fault !== undefined)
    throw invalid('dnsContentInvalid', { type, reason: fault.reason }, context, fault.pointer)
  const made = contentOf(type, parts)
  if (made.length > limits.contentCharactersMax)
    throw invalid('dnsContentInvalid', { type, reason: 'it is too long' }, context, '/data')
  const ofData = parts['priority']
  const effective = priorityOf(type, priority ?? (ofData === undefined ? undefined : Number(ofData)))
  // One record has one priority: `data` repeats the one that counts.
  const repeats = ofData === undefined || Number(ofData) === effective.priority
  return { content: made, data: repeats ? parts : { ...parts, ...effective }, ...effective }
}

function priorityOf(type: DnsRecord['type'], priority = 0): Pick<DnsRecord, 'priority'> {
  return typesWithPriority.has(type) ? { priority } : {}
}

function ttlFrom(ttl: number, context: RecordContext): number {
  if (ttl === 1 || (ttl >= 30 && ttl <= 86_400)) return ttl
  throw invalid('dnsTtlInvalid', { ttl: String(ttl) }, context, '/ttl')
}

/** Without the members that are null. */
function settingsFrom({ settings }: RecordInput): JsonObject {
  return Object.fromEntries(
    Object.entries(settings ?? {}).filter(([, value]) => value !== null),
  ) as JsonObject
}

/** The scheme and port of the zone's origin apply to its records; without one, HTTP's. */
function requireReachable({ proxied, content, type }: DnsRecord, context: RecordContext): void {
  if (!proxied) return
  const { protocol, port } = new URL(context.zone.originUrl ?? 'http://0.0.0.0')
  const portNumber = Number(port || (protocol === 'https:' ? 443 : 80))
  const reason = originFault(content, [portNumber], context.bounds)
  if (reason !== undefined) throw invalid('dnsContentInvalid', { type, reason }, context, '/content')
}
