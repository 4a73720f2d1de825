import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

/** Every Logpush operation of Cloudflare's own client, for accounts and for zones. */
let api: TestApi
let client: Cloudflare
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  const none = { apiEmail: null, apiKey: null, userServiceKey: null }
  client = new Cloudflare({ baseURL, maxRetries: 0, ...none, apiToken: token })
})
after(() => api.close())

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

for (const level of ['account', 'zone'] as const) {
  const scope = () => (level === 'account' ? { account_id: api.accountId } : { zone_id: api.zoneId })
  const folder = () => join(api.directory, level)

  test(`${level}: jobs are created, listed, read, changed and deleted`, async () => {
    const { jobs, datasets } = client.logpush
    const wanted = {
      destination_conf: `file://${folder()}/{DATE}`,
      dataset: 'http_requests',
      name: 'shop_logs.v-1',
      enabled: true,
      filter: '{"where":{"key":"ClientRequestPath","operator":"eq","value":"/search"}}',
      filter_attack_traffic: false,
      frequency: 'low',
      kind: 'edge',
      logpull_options: 'fields=RayID&timestamps=rfc3339',
      max_upload_bytes: 5_000_000,
      max_upload_interval_seconds: 30,
      max_upload_records: 1_000,
      output_options: {
        field_names: ['RayID'],
        sample_rate: 0.01,
        batch_prefix: '',
        'CVE-2021-44228': false,
      },
    } as const
    const made = await jobs.create({
      ...scope(),
      ...wanted,
      output_options: { ...wanted.output_options, field_names: [...wanted.output_options.field_names] },
    })
    assert.ok(made?.id !== undefined)
    const health = { last_complete: null, last_error: null, error_message: null }
    assert.deepEqual(made, { id: made.id, ...wanted, ...health })
    assert.deepEqual(await jobs.get(made.id, scope()), made)
    assert.deepEqual(await all(jobs.list(scope())), [made])
    assert.deepEqual(await all(datasets.jobs.get('http_requests', scope())), [made])
    assert.deepEqual(await all(datasets.jobs.get('firewall_events', scope())), [])
    const changed = await jobs.update(made.id, { ...scope(), enabled: false, output_options: null })
    assert.deepEqual(changed, { ...made, enabled: false, output_options: null })
    assert.deepEqual(await jobs.delete(made.id, scope()), { id: made.id })
    await assert.rejects(jobs.get(made.id, scope()), Cloudflare.NotFoundError)
  })

  test(`${level}: a job as small as can be`, async () => {
    const destination_conf = `file://${folder()}`
    const made = await client.logpush.jobs.create({ ...scope(), destination_conf })
    assert.deepEqual(
      [made?.dataset, made?.enabled, made?.kind, made?.frequency],
      ['http_requests', false, '', 'high'],
    )
    await assert.rejects(
      client.logpush.jobs.update(made?.id ?? 0, { ...scope(), kind: 'edge' }),
      Cloudflare.BadRequestError,
    )
    await client.logpush.jobs.delete(made?.id ?? 0, scope())
  })

  test(`${level}: ownership, destinations, options and datasets`, async () => {
    const { ownership, validate, datasets } = client.logpush
    const body = { ...scope(), destination_conf: `file://${folder()}/owned` }
    const issued = await ownership.create(body)
    assert.deepEqual([issued?.valid, issued?.message], [true, ''])
    const ownership_challenge = await readFile(issued?.filename ?? '', 'utf8')
    assert.deepEqual(await ownership.validate({ ...body, ownership_challenge }), { valid: true })
    assert.deepEqual(await validate.destination(body), { valid: true, message: '' })
    assert.deepEqual(await validate.destinationExists(body), { exists: false })
    const origin = { ...scope(), logpull_options: 'fields=RayID' }
    assert.deepEqual(await validate.origin(origin), { valid: true, message: '' })
    const fields = (await datasets.fields.get('http_requests', scope())) as Record<string, string>
    assert.match(fields['RayID'] ?? '', /^string; /)
  })
}
