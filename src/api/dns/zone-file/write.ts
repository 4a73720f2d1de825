import type { DnsRecord } from '../../../model/dns-record.ts'
import { asTxtStrings } from './quote.ts'

/** Records as a BIND zone file. @source RFC 1035 5.1; Cloudflare docs, import and export records */
export function writeZoneFile(zoneName: string, records: readonly DnsRecord[]): string {
  const head = [
    `;; Domain: ${zoneName}.`,
    ';; Sluice is not a name server: it sends no SOA and no NS records.',
    '',
  ]
  return [...head, ...records.map(lineOf), ''].join('\n')
}

function lineOf(record: DnsRecord): string {
  const fields = [`${record.name}.`, String(record.ttl), 'IN', record.type, rdataOf(record)]
  const remark = remarkOf(record)
  return fields.join('\t') + (remark === '' ? '' : ` ; ${remark}`)
}

function rdataOf({ type, content, priority }: DnsRecord): string {
  switch (type) {
    case 'TXT':
      return content.startsWith('"') ? content : asTxtStrings(content)
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return complete(content)
    case 'MX':
      return `${priority} ${complete(content)}`
    case 'SRV':
      return `${priority} ${complete(content)}`
    case 'URI':
      return `${priority} ${content}`
    default:
      return content
  }
}

function complete(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

/** The comment, then tags and flags after `cf_tags=`. */
function remarkOf({ comment, tags, proxied, settings }: DnsRecord): string {
  const marks = [...tags.map(markOf)]
  if (proxied) marks.push('cf-proxied:true')
  if (settings['flatten_cname'] === true) marks.push('cf-flatten-cname:true')
  const text = (comment ?? '').replace(/[\r\n]+/g, ' ')
  if (marks.length > 0) return `${text} cf_tags=${marks.join(',')}`.trim()
  return text.includes('cf_tags=') ? `${text} cf_tags=` : text
}

/** A tag with separators in its value has the value as a JSON string. */
function markOf(tag: string): string {
  const colon = tag.indexOf(':')
  const value = tag.slice(colon + 1)
  return colon > 0 && /[",\s]/.test(value) ? `${tag.slice(0, colon)}:${JSON.stringify(value)}` : tag
}
