import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { miniCrs } from '../support/mini-crs.ts'
import { runPython, withoutPythonSdk } from '../support/python.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'

/** Cloudflare's Python SDK against a running instance, with its own checks of answers. */
const root = join(import.meta.dirname, '../..')
const skip = withoutPythonSdk

let sluice: Instance
let settings: Readonly<Record<string, string>>

before(async () => {
  if (skip) return
  sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs(), SLUICE_ROLES: 'control' } })
  const account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', { name: 'python.test', account: { id: account } })
  settings = {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
    ACCOUNT: account,
    ZONE: made.result.id,
    FILES: sluice.data,
  }
})

after(async () => {
  if (!skip) await discard(sluice)
})

test('the flows of test/clients/python-sdk.py', { skip }, async () => {
  const { code, output } = await runPython(
    readFileSync(join(root, 'test/clients/python-sdk.py'), 'utf8'),
    settings,
  )
  assert.equal(code, 0, output)
  assert.match(output, /Ran 10 tests/)
})

test('the example of the docs runs as printed', { skip }, async () => {
  const page = readFileSync(join(root, 'docs/reference/coverage.md'), 'utf8')
  const [, example] = /```python\n(.*?)```/s.exec(page) ?? []
  const { code, output } = await runPython(example!, settings)
  assert.equal(code, 0, output)
  assert.match(output, /^python\.test: the OWASP ruleset acts from 25 points$/m)
})
