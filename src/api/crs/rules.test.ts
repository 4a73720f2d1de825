import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
  const file = (name: string, id: number) => ({
    name,
    text: `# Caf\u00c3\u00a9\nSecRule ARGS "@rx a" \\\n  "id:${id},phase:2,block,msg:'Caf\u00c3\u00a9',tag:'attack-sqli',tag:'paranoia-level/2',severity:'CRITICAL'"\n`,
  })
  for (const crsVersion of ['4.29.0', '4.29.0-ours']) {
    await api.store.crs.insert({
      crsVersion,
      digest: crsVersion,
      origin: 'test',
      files: [file('rules/REQUEST-942.conf', 942100), file('plugins/own-before.conf', 9_500_100)],
      managedRulesets: () => [],
    })
  }
})
after(() => api.close())

test('a rule of a release is read as it was written, from the account and from a zone', async () => {
  for (const base of [`/accounts/${api.accountId}`, api.zonePath]) {
    for (const release of ['2', '4.29.0']) {
      const { status, body } = await api.send('GET', `${base}/waf/crs_releases/${release}/rules/942100`)
      assert.equal(status, 200)
      assert.deepEqual(body.result, {
        id: 942100,
        version: '2',
        crs_version: '4.29.0',
        file: 'rules/REQUEST-942.conf',
        line: 2,
        message: 'Café',
        severity: 'CRITICAL',
        paranoia_level: 2,
        tags: ['attack-sqli', 'paranoia-level/2'],
        text: `SecRule ARGS "@rx a" \\\n  "id:942100,phase:2,block,msg:'Café',tag:'attack-sqli',tag:'paranoia-level/2',severity:'CRITICAL'"`,
        upstream_url: 'https://github.com/coreruleset/coreruleset/blob/v4.29.0/rules/REQUEST-942.conf#L2',
      })
    }
  }
})

test('rules without an upstream page have no URL', async () => {
  const urlOf = async (path: string) =>
    (await api.send('GET', `${api.zonePath}/waf/crs_releases/${path}`)).body.result.upstream_url
  assert.equal(await urlOf('2/rules/9500100'), null)
  assert.equal(await urlOf('3/rules/942100'), null)
})

test('missing releases and rules are not found', async () => {
  const rows: [path: string, code: number][] = [
    ['9/rules/942100', 10320],
    ['2/rules/942101', 10321],
    ['2/rules/abc', 10321],
    ['1/rules/942100', 10321],
  ]
  for (const [path, code] of rows) {
    const { status, body } = await api.send('GET', `${api.zonePath}/waf/crs_releases/${path}`)
    assert.deepEqual([status, body.errors[0].code], [404, code], path)
  }
})
