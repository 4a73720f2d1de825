import type { Json } from '../../../model/resource.ts'

/** Text of an expression, such as `cloudflare_zone.shop.id`, in place of a value. */
export class Expression {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** `jsonencode({ … })`, which has the JSON of a value as its text. */
export class Encoded {
  readonly value: Json

  constructor(value: Json) {
    this.value = value
  }
}

export type Value = Json | Expression | Encoded | readonly Value[] | { readonly [name: string]: Value }
export type Members = Readonly<Record<string, Value>>

/** `resource "cloudflare_zone" "shop" { … }`, as `terraform fmt` writes it. Members that are null are left out. */
export function block(head: string, members: Members): string {
  return `${head} {\n${lines(members, 1)}}\n`
}

/** A comment for each line. */
export function comment(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => `# ${line}\n`)
    .join('')
}

/**
 * A quoted string. Line breaks are escapes, because a heredoc would add one at the end.
 * @source HCL native syntax, "Quoted templates": `$${` and `%%{` stand for the markers of templates
 */
export function quoted(text: string): string {
  // UTF-8 has no lone surrogates, and HCL refuses their escapes.
  return JSON.stringify(text.toWellFormed())
    .replace(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole)
    .replace(/[$%]\{/g, marker => `${marker[0]}${marker}`)
}

/** Of JSON, that HCL does not know. */
const escapes: Readonly<Record<string, string>> = { b: '\\u0008', f: '\\u000c' }

function lines(members: Members, depth: number): string {
  const rows = Object.entries(members)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({ name: key(name), text: written(value, depth) }))
  const indent = '  '.repeat(depth)
  return rows
    .map(({ name, text }, at) => `${indent}${name.padEnd(widthAround(rows, at))} = ${text}\n`)
    .join('')
}

/** Signs of equality are aligned over rows whose values have one line. */
function widthAround(rows: readonly { name: string; text: string }[], at: number): number {
  const isLong = ({ text }: { text: string }) => text.includes('\n')
  if (isLong(rows[at]!)) return rows[at]!.name.length
  const before = rows.slice(0, at).findLastIndex(isLong)
  const after = rows.findIndex((row, index) => index > at && isLong(row))
  const run = rows.slice(before + 1, after < 0 ? rows.length : after)
  return Math.max(...run.map(({ name }) => name.length))
}

function written(value: Value, depth: number): string {
  if (value instanceof Expression) return value.text
  if (value instanceof Encoded) return `jsonencode(${written(value.value, depth)})`
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  const end = '  '.repeat(depth)
  if (isList(value)) {
    if (value.length === 0) return '[]'
    const items = value.map(item => written(item, depth + 1))
    if (value.every(isPlain) && items.join().length < lineLength) return `[${items.join(', ')}]`
    return `[\n${items.map(item => `${end}  ${item},\n`).join('')}${end}]`
  }
  const text = lines(value as Members, depth + 1)
  return text === '' ? '{}' : `{\n${text}${end}}`
}

const lineLength = 80

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value)
}

function isPlain(value: Value): boolean {
  return value === null || typeof value !== 'object' || value instanceof Expression
}

/** Words that HCL reads as something else than a name. */
const words = ['for', 'null', 'true', 'false']

function key(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) && !words.includes(name) ? name : quoted(name)
}
