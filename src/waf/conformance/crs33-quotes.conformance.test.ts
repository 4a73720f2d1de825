import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crsMissing, crsProgram } from '../testing/crs.ts'
import { send } from '../testing/requests.ts'

/** Patterns of CRS 3.3 that write a backslash as Apache reads it in quotes. */
test('rules with a doubled backslash in quotes find a single one', { skip: crsMissing }, () => {
  const rules = crsProgram('3.3.10')
  const ids = (argument: string, body = ''): readonly number[] =>
    send(rules, {
      target: `/?a=${encodeURIComponent(argument)}`,
      response: { headers: [['Content-Type', 'text/html']], body },
    }).transaction.matches.map(match => match.rule.id)
  assert.ok(ids('x\\c').includes(920460))
  assert.ok(ids('"] \\u006Cocation =').includes(941330))
  assert.ok(ids('x', 'see c:\\inetpub here').includes(954100))
})
