import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRelease } from './sources/directory.ts'
import { writtenRules } from './written-rules.ts'

const name = 'rules/REQUEST-942.conf'

test('a rule is shown with the lines that it was written in, and where they are', () => {
  const single = `SecRule ARGS "@rx a" "id:942100,phase:2,block,msg:'One'"`
  const long = `SecRule ARGS "@rx b" \\\r\n    "id:942200,\\\n    phase:2,block,\\\n    severity:'CRITICAL',chain"`
  const link = `    SecRule ARGS "@rx c" \\\n        "t:none"`
  const text = `# a comment\n${single}\n\n${long}\n${link}\nSecAction "id:942300,phase:1,pass,nolog"`
  const rules = writtenRules([{ name, text }])
  assert.deepEqual(
    [...rules.values()].map(rule => [rule.id, rule.file, rule.line, rule.text]),
    [
      [942100, name, 2, single],
      [942200, name, 4, `${long}\n${link}`.replace('\r', '')],
      [942300, name, 10, 'SecAction "id:942300,phase:1,pass,nolog"'],
    ],
  )
  assert.equal(rules.get(942200)!.severity, 'CRITICAL')
})

const shared = join(import.meta.dirname, '../../../shared/crs/4.28.0')
test('every detection rule of a real release has its text', {
  skip: existsSync(shared) ? false : 'no CRS here',
}, async () => {
  const { files } = await readRelease(shared)
  const rules = writtenRules(files)
  assert.ok(rules.size > 500)
  for (const rule of rules.values()) {
    assert.match(rule.text, /^\s*Sec(Rule|Action)/, String(rule.id))
    assert.ok(rule.text.includes(`id:${rule.id}`), String(rule.id))
  }
})
