import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../../waf/index.ts'
import { execution } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const form = 'application/x-www-form-urlencoded'
const rows: readonly { readonly name: string; readonly types: readonly string[]; readonly status: number }[] =
  [
    { name: 'none', types: [form], status: 200 },
    { name: 'an inspected one', types: [`${form}; charset=KOI8-R`], status: 200 },
    { name: 'quoted, in capitals', types: [`${form};CHARSET = "UTF-7"`], status: 415 },
    { name: 'after an inspected one', types: [`${form}; charset=utf-8; charset=ibm037`], status: 415 },
    { name: 'in a second line', types: [form, `text/plain; charset=utf-16`], status: 415 },
    { name: 'of RFC 2231', types: [`${form}; charset*=ibm037''x`], status: 415 },
    { name: 'its first part', types: [`${form}; charset*0=ibm037`], status: 415 },
    { name: 'an invalid continuation number', types: [`${form}; charset*12345=ibm037`], status: 200 },
    { name: 'a longer name', types: [`${form}; charsets=ibm037`], status: 200 },
    { name: 'the end of another name', types: [`${form}; x-charset=ibm037`], status: 200 },
  ]

for (const { name, types, status } of rows)
  test(`the engine uses the charset that the client names: ${name}`, async t => {
    const compiled = compile(
      [
        {
          name: 'test.conf',
          text: 'SecRuleEngine On\nSecRequestBodyAccess On\nSecRule ARGS "@contains attack" "id:1,phase:2,deny"',
        },
      ],
      { readData: () => undefined },
    )
    assert.ok(compiled.ok)
    let reached = 0
    const origin = await startOrigin(t, (_request, response) => {
      reached++
      response.end('ok')
    })
    const managed = [rule(execution(compiled.value, { ruleIds: [''] }))]
    const { port, records } = await startEdge(t, planFor(origin.url, { managed }))
    const lines = types.map(type => `Content-Type: ${type}\r\n`).join('')
    const client = new RawClient(port)
    client.send(`POST / HTTP/1.1\r\nHost: site.test\r\n${lines}Content-Length: 3\r\n\r\na=1`)
    assert.match(await client.until('\r\n\r\n'), new RegExp(`^HTTP/1.1 ${status} `))
    assert.equal(reached, status === 200 ? 1 : 0)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], status)
  })
