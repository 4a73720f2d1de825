import { Type } from '@fastify/type-provider-typebox'
import { addressTypes, type DnsRecord, type DnsRecordType, dnsRecordTypes } from '../../model/dns-record.ts'
import { describedText, id, json, nullable, optional, text, time, type Wire } from '../http/schemas.ts'

export const dnsRecordSchema = Type.Object({
  id,
  name: describedText('complete, in Punycode'),
  type: Type.Enum([...dnsRecordTypes]),
  content: text,
  proxiable: Type.Boolean(),
  proxied: Type.Boolean({ description: 'the record decides the origin of its name' }),
  ttl: Type.Integer({ description: 'seconds; 1 is automatic' }),
  settings: Type.Record(Type.String(), Type.Boolean()),
  meta: Type.Object({}),
  comment: nullable(text),
  tags: Type.Array(text),
  created_on: time,
  modified_on: time,
  comment_modified_on: optional(time),
  tags_modified_on: optional(time),
  priority: optional(Type.Integer()),
  data: optional(Type.Record(Type.String(), json)),
  private_routing: optional(Type.Boolean()),
})

const records = Type.Array(dnsRecordSchema)
export const dnsBatchSchema = Type.Object({
  deletes: records,
  patches: records,
  puts: records,
  posts: records,
})

export const dnsImportSchema = Type.Object({
  recs_added: Type.Integer(),
  total_records_parsed: Type.Integer(),
})

export function isProxiable(type: DnsRecordType): boolean {
  return (addressTypes as readonly DnsRecordType[]).includes(type)
}

export function dnsRecordToWire(record: DnsRecord): Wire<typeof dnsRecordSchema> {
  const { priority, data, privateRouting, commentModifiedOn, tagsModifiedOn } = record
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    content: record.content,
    proxiable: isProxiable(record.type),
    proxied: record.proxied,
    ttl: record.ttl,
    settings: record.settings as Readonly<Record<string, boolean>>,
    meta: {},
    comment: record.comment,
    tags: record.tags,
    created_on: record.createdOn,
    modified_on: record.modifiedOn,
    ...(commentModifiedOn === undefined ? {} : { comment_modified_on: commentModifiedOn }),
    ...(tagsModifiedOn === undefined ? {} : { tags_modified_on: tagsModifiedOn }),
    ...(priority === undefined ? {} : { priority }),
    ...(data === undefined ? {} : { data }),
    ...(privateRouting === undefined ? {} : { private_routing: privateRouting }),
  }
}
