import type { WireEvent } from './event-schema.ts'

type Cell = string | number | undefined

const columns: readonly (readonly [name: string, read: (event: WireEvent) => Cell])[] = [
  ['datetime', event => event.datetime],
  ['ray_id', event => event.ray_id],
  ['action', event => event.action],
  ['source', event => event.source],
  ['rule_id', event => event.rule_id],
  ['ref', event => event.ref],
  ['description', event => event.description],
  ['match_index', event => event.match_index],
  ['client_ip', event => event.client_ip],
  ['client_asn', event => event.client_asn],
  ['client_country', event => event.client_country],
  ['method', event => event.method],
  ['scheme', event => event.scheme],
  ['host', event => event.host],
  ['path', event => event.path],
  ['query', event => event.query],
  ['protocol', event => event.protocol],
  ['user_agent', event => event.user_agent],
  ['referer', event => event.referer],
  ['edge_status', event => event.edge_status],
  ['origin_status', event => event.origin_status],
  ['ruleset_id', event => event.metadata.ruleset_id],
  ['score', event => event.metadata.score],
  ['threshold', event => event.metadata.threshold],
  ['matched_rules', matchedRules],
]

/** The names of the columns as a line. */
export const csvHead = lineOf(columns.map(([name]) => name))

/** @source RFC 4180 */
export function csvLine(event: WireEvent): string {
  return lineOf(columns.map(([, read]) => read(event)))
}

/** `942100 5 ARGS:q; 942130 5 ARGS:q` */
function matchedRules({ metadata: { rules = [] } }: WireEvent): string {
  return rules.map(({ ref, score, target }) => `${ref} ${score} ${target}`).join('; ')
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join()}\r\n`
}

/**
 * Clients choose most of these texts, and spreadsheets run cells that begin like a formula, some also in full width.
 * Such cells get a leading apostrophe.
 * @source OWASP, "CSV injection"
 */
function cellOf(value: Cell): string {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
