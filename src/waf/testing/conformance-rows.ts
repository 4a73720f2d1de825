import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run, type TestRequest } from './requests.ts'

/** For the conformance tests: tables with every piece of the rule language that rule sets use. */

export interface Row {
  /** The item of the list that it shows. */
  readonly item: string
  /** The aspect of the item. */
  readonly shows: string
  readonly rules: string
  readonly request?: TestRequest
  /** Files by name, for operators that read lists. */
  readonly files?: Readonly<Record<string, string>>
  /** `id message` of each logged match. */
  readonly want: readonly string[]
  /** `action status` of the interruption; undefined: there must be none. */
  readonly stops?: string
}

/**
 * Runs the rows, and checks that the rows cover exactly the items of the list.
 * @param items separated by commas
 */
export function conform(kind: string, items: string, rows: readonly Row[]): void {
  const list = items.split(',').map(item => item.trim())
  describe(kind, () => {
    it(`all ${list.length} of the list have a row`, () => {
      assert.deepEqual([...new Set(rows.map(row => row.item))].sort(), list.toSorted())
    })
    for (const row of rows) it(`${row.item}: ${row.shows}`, () => check(row))
  })
}

function check({ rules, request = {}, files = {}, want, stops }: Row): void {
  const { matched, interruption } = run(rules, request, { readData: name => files[name] })
  assert.deepEqual(matched, want)
  assert.equal(interruption && `${interruption.action} ${interruption.status}`, stops)
}

/** Rules that report the selection of a target as message of rule 99: `[NAME=VALUE]` for each value, in order. */
function selecting(target: string, phase: number): string {
  return `
    SecRule ${target} "@unconditionalMatch" \\
      "id:98,phase:${phase},nolog,setvar:'tx.seen=%{tx.seen}[%{MATCHED_VAR_NAME}=%{MATCHED_VAR}]'"
    SecAction "id:99,phase:5,msg:'%{tx.seen}'"`
}

interface ValuesOptions {
  readonly phase?: number
  readonly before?: string
  readonly shows?: string
}

/** A row for the values that a target selects. */
export function values(
  item: string,
  target: string,
  request: TestRequest,
  want: string,
  { phase = 2, before = '', shows = target }: ValuesOptions = {},
): Row {
  return { item, shows, rules: before + selecting(target, phase), request, want: [`99 ${want}`.trim()] }
}

export function form(body: string, target = '/'): TestRequest {
  return post('application/x-www-form-urlencoded', body, target)
}

export function post(type: string, body: string, target = '/'): TestRequest {
  return { method: 'POST', target, headers: [['Content-Type', type]], body }
}

/** Parts as header lines and content; the boundary is `b`. */
export function multipart(...parts: readonly (readonly [headers: string, content: string])[]): TestRequest {
  const body = parts.map(([headers, content]) => `--b\r\n${headers}\r\n\r\n${content}\r\n`).join('')
  return post('multipart/form-data; boundary=b', `${body}--b--\r\n`)
}

/** A field and a file. */
export const upload: TestRequest = multipart(
  ['Content-Disposition: form-data; name="a%41"', 'v+%41'],
  ['Content-Disposition: form-data; name="up"; filename="x.php"\r\nContent-Type: text/plain', 'PNG'],
)

export const asJson = 'SecAction "id:90,phase:1,nolog,ctl:requestBodyProcessor=JSON"'
export const asXml = 'SecAction "id:90,phase:1,nolog,ctl:requestBodyProcessor=XML"'

export function row(
  item: string,
  shows: string,
  rules: string,
  want: readonly string[],
  rest: Partial<Row> = {},
): Row {
  return { item, shows, rules, want, ...rest }
}
