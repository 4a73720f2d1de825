import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, mock, test } from 'node:test'
import { openTestApi, type TestApi, token } from '../../../api/testing/test-api.ts'
import { bareEnvironment } from '../../../kit/testing/bare-environment.ts'
import { configCommand } from './config.ts'

/** `sluice config` moves an account from one API to another, whose ids differ. */
const awkward = 'say "${A}" and $${b}: #1\n- no: list\n\tZoë'
const secret = 'very-secret'

let folder: string
let receiver: Server
let source: TestApi
let target: TestApi
/** Of the environment of the command. */
let variables: Record<string, string>

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-config-'))
  receiver = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>::CLOUDFLARE_ERROR_500S_BOX::'),
  )
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  source = await openTestApi({ notEnforced: 'keep' })
  target = await openTestApi({ notEnforced: 'keep' })
  for (const { app } of [source, target]) await app.listen({ host: '127.0.0.1', port: 0 })
  await fill(source)
})

after(async () => {
  receiver.close()
  await source.close()
  await target.close()
  await rm(folder, { recursive: true })
})

beforeEach(() => {
  variables = {}
})

/** @returns a folder with one file */
async function folderWith(name: string, content: unknown): Promise<string> {
  const path = await mkdtemp(join(folder, 'file-'))
  const file = join(path, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(content))
  return path
}

const shopWith = (content: unknown) => folderWith('zones/shop.example.json', content)

/** Sends a call that has to succeed. */
async function send(
  { send }: TestApi,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: unknown,
) {
  const answer = await send(method, path, body)
  assert.ok(answer.body.success, `${method} ${path}: ${JSON.stringify(answer.body.errors)}`)
  return answer.body.result
}

async function fill(api: TestApi): Promise<void> {
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const account = `/accounts/${api.accountId}`
  const post = (path: string, body: unknown) => send(api, 'POST', path, body)
  const list = await post(`${account}/rules/lists`, { kind: 'ip', name: 'office', description: awkward })
  await send(api, 'PUT', `${account}/rules/lists/${list.id}/items`, [{ ip: '192.0.2.1', comment: awkward }])
  const monitor = await post(`${account}/load_balancers/monitors`, {
    type: 'http',
    description: awkward,
    header: { Host: ['shop.example'], 'X-Probe-Key': [secret] },
  })
  const pools = []
  for (const name of ['main', 'spare']) {
    const origins = [{ name: 'a', address: '192.0.2.10', header: { Host: ['shop.example'] } }]
    pools.push(await post(`${account}/load_balancers/pools`, { name, monitor: monitor.id, origins }))
  }
  const phase = 'http_request_firewall_custom'
  const office = { action: 'block', expression: 'ip.src in $office', description: awkward, ref: 'office' }
  const custom = await post(`${account}/rulesets`, { kind: 'custom', name: 'team', phase, rules: [office] })
  await send(api, 'PUT', `${account}/rulesets/phases/${phase}/entrypoint`, {
    rules: [{ action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
  })
  const webhook = { name: 'chat', url: `${at}/?key=${secret}` }
  const { id } = await post(`${account}/alerting/v3/destinations/webhooks`, webhook)
  await post(`${account}/alerting/v3/policies`, {
    name: 'jobs',
    enabled: true,
    alert_type: 'failing_logpush_job_disabled_alert',
    mechanisms: { webhooks: [{ id }] },
  })
  const country = { target: 'country', value: 'DE' }
  await post(`${account}/firewall/access_rules/rules`, { mode: 'whitelist', configuration: country })
  const other = { name: 'other.example', account: { id: api.accountId }, origin: { url: at } }
  await post('/zones', other)

  const { zonePath: zone } = api
  await send(api, 'PATCH', `${zone}/settings/min_tls_version`, { value: '1.3' })
  const managed = [{ id: 'add_true_client_ip_headers', enabled: true }]
  await send(api, 'PATCH', `${zone}/managed_headers`, {
    managed_request_headers: managed,
    managed_response_headers: [],
  })
  await send(api, 'PUT', `${zone}/logs/control/redaction`, { cookies: false })
  for (const content of ['192.0.2.1', '192.0.2.2'])
    await post(`${zone}/dns_records`, { type: 'A', name: 'www', content, comment: content })
  const caa = { flags: 0, tag: 'issue', value: 'ca.test' }
  await post(`${zone}/dns_records`, { type: 'CAA', name: '@', ttl: 300, data: caa })
  await post(`${zone}/load_balancers`, {
    name: 'shop.example',
    default_pools: [pools[0].id],
    fallback_pool: pools[1].id,
    rules: [{ name: 'spare', condition: 'http.host eq "b"', overrides: { default_pools: [pools[1].id] } }],
  })
  await send(api, 'PUT', `${zone}/rulesets/phases/${phase}/entrypoint`, {
    rules: [
      office,
      { action: 'skip', expression: 'http.host eq "a"', action_parameters: { ruleset: 'current' } },
    ],
  })
  const lockdown = { urls: ['shop.example/a*'], configurations: [{ target: 'ip', value: '192.0.2.1' }] }
  await post(`${zone}/firewall/lockdowns`, lockdown)
  await send(api, 'PUT', `${zone}/custom_pages/waf_block`, { state: 'customized', url: `${at}/page.html` })
  await post(`${zone}/logpush/jobs`, {
    name: 'store',
    dataset: 'http_requests',
    destination_conf: `${at}/logs?header_Authorization=Bearer%20${secret}`,
  })
}

/** Runs the command against an API. @returns what it prints */
async function config(api: TestApi, ...words: string[]): Promise<string> {
  const { port } = api.app.server.address() as AddressInfo
  const kept = process.env
  process.env = {
    ...bareEnvironment,
    CLOUDFLARE_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
    ...variables,
  }
  const lines: string[] = []
  const log = mock.method(console, 'log', (line: string) => void lines.push(line))
  try {
    await configCommand(words)
  } finally {
    process.env = kept
    log.mock.restore()
  }
  return lines.join('\n')
}

async function diff(api: TestApi, path: string): Promise<{ readonly code: unknown; readonly text: string }> {
  const text = await config(api, 'diff', path)
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return { code, text }
}

const texts = async (path: string) =>
  Promise.all(
    ['account.yaml', 'zones/shop.example.yaml', 'zones/other.example.yaml'].map(name =>
      readFile(join(path, name), 'utf8'),
    ),
  )

/** The variables that an export names, with the secrets that they stand for. */
function setVariables(exported: string): void {
  const names = /variables for them: (.*)/.exec(exported)![1]!.split(', ')
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  for (const name of names)
    variables[name] = /CHAT_URL$/.test(name)
      ? `${at}/?key=${secret}`
      : /JOB/.test(name)
        ? `Bearer%20${secret}`
        : secret
}

test('an exported account is applied to another installation, and exported again as the same text', async () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const printed = await config(source, 'export', one)
  assert.equal((await stat(join(one, 'account.yaml'))).mode & 0o777, 0o600)
  const [account, shop] = await texts(one)
  assert.doesNotMatch(`${account}${shop}`, /very-secret/)
  assert.match(account!, /monitor: "?\$\{load_balancer_monitors:/)
  assert.match(shop!, /fallback_pool: \$\{load_balancer_pools:spare\}/)
  assert.match(
    (await diff(source, one)).text,
    /^No differences\.$/m,
    'variables that are not set change nothing',
  )

  const without = await diff(target, one)
  assert.equal(without.code, 2, 'a new job needs its credentials')
  setVariables(printed)
  assert.deepEqual(await diff(source, one), { code: 0, text: 'No differences.' })
  const planned = await diff(target, one)
  assert.equal(planned.code, 1)
  assert.match(planned.text, /^create zone of other\.example$/m)
  assert.match(planned.text, /^create DNS record www\.shop\.example A of shop\.example$/m)
  await assert.rejects(config(target, 'apply', one), /--yes/)

  await config(target, 'apply', one, '--yes')
  assert.deepEqual(await diff(target, one), { code: 0, text: 'No differences.' })
  await config(target, 'export', two)
  assert.deepEqual(await texts(two), await texts(one))
  const [job] = await send(target, 'GET', `${target.zonePath}/logpush/jobs`)
  assert.match(job.destination_conf, /Bearer%20very-secret$/)
})

test('a removed line, a removed object and an earlier state are put in force', async () => {
  const path = join(folder, 'edited')
  const printed = await config(source, 'export', path)
  setVariables(printed)
  const file = join(path, 'zones/shop.example.yaml')
  const before = await readFile(file, 'utf8')
  const edited = before
    .replace(/ {4}comment: 192\.0\.2\.1\n/, '')
    .replace(/settings:\n.*\n.*\n/, 'settings: []\n')
    .replace('expression: http.host eq "a"', 'expression: http.host eq "b"')
  await writeFile(file, edited)
  const { text } = await diff(source, path)
  assert.match(
    text,
    /^change DNS record www\.shop\.example A of shop\.example: comment "192\.0\.2\.1" → default$/m,
  )
  assert.match(text, /^change ruleset http_request_firewall_custom of shop\.example: rules$/m)
  assert.match(text, /^delete setting min_tls_version of shop\.example$/m)
  assert.match(text, /^3 objects: 0 to create, 2 to change, 1 to delete\.$/m)
  await config(source, 'apply', path, '--yes')
  const rules = (
    await send(source, 'GET', `${source.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`)
  ).rules
  assert.equal(rules[0].version, '1', 'a rule that is the same stays the same rule')
  await writeFile(file, before)
  await config(source, 'apply', path, '--yes')
  assert.equal((await diff(source, path)).code, 0)
})

test('a file decides about the kinds that it names, and objects take defaults', async () => {
  const path = join(folder, 'part')
  await config(target, 'export', path)
  const names = (await readdir(join(path, 'zones'))).filter(name => name !== 'shop.example.yaml')
  for (const name of [...names.map(name => join('zones', name)), 'account.yaml']) await rm(join(path, name))
  const records = [{ type: 'A', name: 'new.shop.example', content: '192.0.2.9' }]
  const rules = [{ action: 'block', expression: 'http.host eq "new"' }]
  const rulesets = [{ phase: 'http_request_firewall_custom', rules }]
  await rm(join(path, 'zones/shop.example.yaml'))
  await writeFile(join(path, 'zones/shop.example.json'), JSON.stringify({ dns_records: records, rulesets }))
  const printed = await config(target, 'apply', path, '--yes')
  assert.match(printed, /^note: zone other\.example has no file and stays as it is$/m)
  assert.match(printed, /^5 objects: 1 to create, 1 to change, 3 to delete\.$/m)
  assert.equal((await diff(target, path)).code, 0)
  assert.equal((await send(target, 'GET', `${target.zonePath}/load_balancers`)).length, 1)
})

test('a refused object takes back what was written before it', async () => {
  const path = join(folder, 'wrong')
  await config(source, 'export', path)
  const file = join(path, 'account.yaml')
  const before = await texts(path)
  const wrong = (await readFile(file, 'utf8'))
    .replace(/^ {2}- name: office\n/m, '  - name: first\n    kind: asn\n$&')
    .replace(/ip: 192\.0\.2\.1/, 'ip: 192.0.2.7')
  await writeFile(file, wrong.replace('ip.src in $office', 'ip.src in $missing'))
  await assert.rejects(config(source, 'apply', path, '--yes'), (error: Error) => {
    assert.match(
      error.message,
      /^custom ruleset team http_request_firewall_custom of account: [\s\S]*\/rules\/0/,
    )
    assert.match(error.message, /Nothing was changed\.$/)
    return true
  })
  const again = join(folder, 'again')
  await config(source, 'export', again)
  assert.deepEqual(await texts(again), before)
})

test('managed transforms that a file leaves out are switched off, and a refusal switches them on again', async () => {
  const onIn = async () => {
    const lists: Record<string, { id: string; enabled: boolean }[]> = await send(
      source,
      'GET',
      `${source.zonePath}/managed_headers`,
    )
    return Object.values(lists).flatMap(list => list.filter(({ enabled }) => enabled).map(({ id }) => id))
  }
  const ids = ['remove_x-powered-by_header', 'add_security_headers']
  const transforms = { managed_response_headers: ids.map(id => ({ id, enabled: true })) }
  const refused = [{ type: 'A', name: 'www.shop.example', content: 'no address' }]
  const wrong = await shopWith({ managed_transforms: transforms, dns_records: refused })
  await assert.rejects(config(source, 'apply', wrong, '--yes'), /Nothing was changed\.$/)
  assert.deepEqual(await onIn(), ['add_true_client_ip_headers'])
  const path = await shopWith({ managed_transforms: transforms })
  await config(source, 'apply', path, '--yes')
  assert.deepEqual((await onIn()).toSorted(), ids.toSorted())
  assert.equal((await diff(source, path)).code, 0)
})

test('settings that a file has at their default are put in force and compared', async () => {
  const settings = [
    { id: 'development_mode', value: 'on' },
    { id: 'ciphers', value: [] },
    { id: 'min_tls_version', value: '1.0' },
    { id: 'always_use_https', value: 'off' },
  ]
  await send(source, 'PATCH', `${source.zonePath}/settings/ciphers`, { value: ['AES128-SHA'] })
  const path = await shopWith({ settings })
  assert.match(await config(source, 'apply', path, '--yes'), /0 to create, 3 to change, 0 to delete/)
  assert.equal((await diff(source, path)).code, 0)
  const without = await shopWith({ settings: [] })
  assert.equal((await diff(source, without)).code, 0, 'the development mode ends by itself')
})

test('a chosen mode of TLS to the origin is exported at its default too, and stays without a file that has it', async () => {
  await send(source, 'PATCH', `${source.zonePath}/settings/ssl`, { value: 'flexible' })
  const path = join(folder, 'chosen')
  await config(source, 'export', path)
  assert.match(
    await readFile(join(path, 'zones/shop.example.yaml'), 'utf8'),
    /- id: ssl\n {4}value: flexible/,
  )
  assert.equal((await diff(source, await shopWith({ settings: [] }))).code, 0)
})

test('a DNS record takes the place of records that exclude it, in one write', async () => {
  const name = 'www.shop.example'
  const records = () => send(source, 'GET', `${source.zonePath}/dns_records`)
  const alias = { type: 'CNAME', name, content: 'shop.example.net' }
  const addresses = [
    { type: 'A', name, content: '192.0.2.9' },
    { type: 'AAAA', name, content: '2001:db8::9' },
  ]
  const delegation = { type: 'NS', name, content: 'ns.example.net' }
  const refused = { type: 'A', name: 'x.shop.example', content: 'no address' }
  const text = await config(source, 'apply', await shopWith({ dns_records: [alias] }), '--yes')
  assert.match(
    text,
    /^create DNS record www\.shop\.example CNAME of shop\.example, in place of (www\.shop\.example A(, )?){2}$/m,
  )
  assert.match(text, /^4 objects: 1 to create, 0 to change, 3 to delete\.$/m)
  for (const wanted of [addresses, [delegation], [alias]]) {
    const wrong = await shopWith({ dns_records: [...wanted, refused] })
    const before = await config(source, 'diff', wrong)
    await assert.rejects(config(source, 'apply', wrong, '--yes'), /Nothing was changed\.$/)
    assert.equal(await config(source, 'diff', wrong), before)
    process.exitCode = undefined
    const path = await shopWith({ dns_records: wanted })
    await config(source, 'apply', path, '--yes')
    assert.equal((await diff(source, path)).code, 0)
    assert.equal((await records()).length, wanted.length)
  }
})

test('an object whose answer was lost is named, and those before it are taken back', async () => {
  const { port } = source.app.server.address() as AddressInfo
  const lossy = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    const sent = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      ...sent,
      headers: { ...sent.headers, authorization: headers.authorization! },
    })
    if (method === 'POST') response.destroy()
    else response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>(resolve => lossy.listen(0, '127.0.0.1', resolve))
  variables['CLOUDFLARE_BASE_URL'] = `http://127.0.0.1:${(lossy.address() as AddressInfo).port}/client/v4`
  try {
    const record = { type: 'TXT', name: 'new.shop.example', content: 'new' }
    const settings = [{ id: 'min_tls_version', value: '1.2' }]
    const path = await shopWith({ settings, dns_records: [record] })
    await assert.rejects(
      config(source, 'apply', path, '--yes'),
      /No answer came, so DNS record new\.shop\.example TXT of shop\.example may be written or not: .* Nothing else was changed\.$/,
    )
  } finally {
    lossy.close()
  }
  const { value } = await send(source, 'GET', `${source.zonePath}/settings/min_tls_version`)
  assert.equal(value, '1.0')
})

test('items of lists are the same in any order, of themselves and of their members', async () => {
  const items = [
    { comment: 'b', ip: '192.0.2.2' },
    { ip: '192.0.2.1', comment: 'a' },
  ]
  const path = await folderWith('account.json', { lists: [{ name: 'office', kind: 'ip', items }] })
  await config(source, 'apply', path, '--yes')
  assert.equal((await diff(source, path)).code, 0)
})

test('a wrong file is named with the position of its fault', async () => {
  const path = join(folder, 'faults')
  await config(target, 'export', path)
  const file = join(path, 'zones/shop.example.yaml')
  const rows = [
    { text: 'dns_records: [', want: /shop\.example\.yaml: .* at line 1/ },
    { text: 'dns: []', want: /there is no dns; the kinds are zone, settings, / },
    { text: 'dns_records: {}', want: /dns_records is a list/ },
    {
      text: 'dns_records: [{typ: A}]',
      want: /dns_records\[0\] has an unknown member typ; the members are name, type/,
    },
    { text: 'dns_records: [{name: "${lower}"}]', want: /\$\{lower\} is neither/ },
    { text: 'load_balancers: [{name: a, fallback_pool: "${load_balancer_pools:x}"}]', want: /is in no file/ },
  ]
  for (const { text, want } of rows) {
    await writeFile(file, text)
    await assert.rejects(config(target, 'apply', path, '--yes'), want)
  }
})
