import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { miniCrs } from '../support/mini-crs.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'
import {
  answeredJob,
  assertAppliedJob,
  type ConfiguredJob,
  createdJob,
  type JobState,
  planDifferences,
  plannedJob,
  updatedJob,
} from '../support/terraform-logpush.ts'

/**
 * Requests that Cloudflare's Terraform provider sends for its log resources, and its checks of the answers: after each
 * apply every planned value is present, and the next plan is empty.
 */
let sluice: Instance
let s3: S3Server
const scopes = { account: '', zone: '' }

before(async () => {
  s3 = await startS3(['logs'])
  sluice = await startSluice({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_ROLES: 'control',
      AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    },
  })
  const id = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', {
    name: 'terraform.test',
    account: { id },
    origin: { url: 'http://127.0.0.1:9' },
  })
  scopes.account = `/accounts/${id}`
  scopes.zone = `/zones/${made.result.id}`
})

after(async () => {
  await discard(sluice)
  await s3.close()
})

async function expectOk(method: string, path: string, body?: unknown): Promise<JobState> {
  const answer = await api(sluice, method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.errors)}`)
  return answer.result as JobState
}

const file = (folder: string) => `file://${join(sluice.data, folder)}`
const bucket = (folder: string) =>
  `s3://logs/${folder}?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}`

/** One resource `cloudflare_logpush_job`, from its first apply to its last. */
class JobResource {
  readonly #jobs: string
  #state: JobState = {}

  constructor(scope: string) {
    this.#jobs = `${scope}/logpush/jobs`
  }

  get #path(): string {
    return `${this.#jobs}/${this.#state['id']}`
  }

  async create(configured: ConfiguredJob): Promise<void> {
    const planned = plannedJob(configured)
    this.#state = answeredJob(await expectOk('POST', this.#jobs, createdJob(planned)), planned)
    await this.#settled(planned)
  }

  async update(configured: ConfiguredJob): Promise<void> {
    const planned = plannedJob(configured)
    const { id } = this.#state
    const answer = await expectOk('PUT', this.#path, updatedJob(planned, this.#state))
    this.#state = answeredJob(answer, planned)
    assert.equal(this.#state['id'], id)
    await this.#settled(planned)
  }

  /** The refusal of an update; the job is as it was. */
  async refused(configured: ConfiguredJob): Promise<{ status: number; message: string }> {
    const answer = await api(sluice, 'PUT', this.#path, updatedJob(plannedJob(configured), this.#state))
    assert.deepEqual(await this.#read(), this.#state)
    return { status: answer.status, message: answer.errors[0]!.message }
  }

  /** Another state learns of the job by its id alone: only what is never answered differs. */
  async import(configured: ConfiguredJob): Promise<void> {
    const imported = answeredJob(await expectOk('GET', this.#path))
    const { ownership_challenge: _, ...shown } = imported
    const { ownership_challenge: __, ...planned } = plannedJob(configured)
    assert.deepEqual(planDifferences(planned, shown), [])
  }

  async delete(): Promise<void> {
    await expectOk('DELETE', this.#path)
    assert.equal((await api(sluice, 'GET', this.#path)).status, 404, 'the provider drops what is gone')
  }

  async #settled(planned: JobState): Promise<void> {
    assertAppliedJob(planned, this.#state)
    assert.deepEqual(await this.#read(), this.#state, 'a refresh finds nothing')
    assert.deepEqual(planDifferences(planned, this.#state), [], 'the next plan is empty')
  }

  async #read(): Promise<JobState> {
    return answeredJob(await expectOk('GET', this.#path), this.#state)
  }
}

const filter = '{"where":{"and":[{"key":"ClientRequestHost","operator":"eq","value":"a.test"}]}}'
const full = {
  dataset: 'http_requests',
  enabled: true,
  filter,
  frequency: 'low',
  kind: 'edge',
  logpull_options: 'fields=RayID&timestamps=rfc3339',
  name: 'terraform_full',
  max_upload_bytes: 5_000_000,
  max_upload_interval_seconds: 30,
  max_upload_records: 1_000,
  output_options: {
    batch_prefix: '[',
    batch_suffix: ']',
    field_delimiter: '\t',
    field_names: ['RayID', 'ClientIP'],
    output_type: 'csv',
    record_delimiter: ',\n',
    record_prefix: '',
    record_suffix: '',
    record_template: '{{.ClientASN}} "{{.RayID}}"',
    sample_rate: 0.01,
    timestamp_format: 'rfc3339ns',
    'CVE-2021-44228': true,
  },
} as const

for (const level of ['account', 'zone'] as const) {
  test(`${level}: a job of which next to nothing is said`, async () => {
    const job = new JobResource(scopes[level])
    const minimal = { destination_conf: file('minimal') }
    await job.create(minimal)
    await job.update({ ...minimal, enabled: true })
    await job.update({ ...minimal, enabled: true, name: 'named' })
    await job.import({ ...minimal, enabled: true, name: 'named' })
    await job.update(minimal)
    await job.delete()
  })

  test(`${level}: a job of which everything is said, changed attribute by attribute`, async () => {
    const job = new JobResource(scopes[level])
    const destination_conf = file('full/{DATE}')
    const configured = { destination_conf, ...full }
    await job.create(configured)
    await job.import(configured)
    for (const change of [
      { enabled: false },
      { filter: filter.replace('a.test', 'b.test') },
      { frequency: 'high' },
      { logpull_options: 'fields=ClientIP' },
      { name: '' },
      { max_upload_bytes: 1_000_000_000 },
      { max_upload_interval_seconds: 0 },
      { max_upload_records: 1_000_000 },
      { output_options: { ...full.output_options, sample_rate: 1 } },
      { output_options: { field_names: ['RayID'] } },
      { output_options: { field_names: ['RayID'], record_prefix: '', 'CVE-2021-44228': false } },
      { output_options: { timestamp_format: 'unix' } },
      { destination_conf: file('full/elsewhere') },
    ]) {
      const changed = { ...configured, ...change }
      await job.update(changed)
      await job.import(changed)
      await job.update(configured)
    }
    await job.delete()
  })

  test(`${level}: what is taken out of the configuration is gone`, async () => {
    const job = new JobResource(scopes[level])
    const { filter: _, output_options: __, logpull_options: ___, name: ____, ...rest } = full
    const destination_conf = file('removed')
    await job.create({ destination_conf, ...full })
    const { filter: _filter, ...withoutFilter } = full
    await job.update({ destination_conf, ...withoutFilter })
    await job.update({ destination_conf, ...rest })
    await job.import({ destination_conf, ...rest })
    await job.delete()
  })

  test(`${level}: dataset and kind cannot change`, async () => {
    const job = new JobResource(scopes[level])
    const configured = { destination_conf: file('fixed'), kind: 'edge' }
    await job.create(configured)
    for (const change of [{ kind: '' }, { dataset: 'firewall_events' }])
      assert.equal((await job.refused({ ...configured, ...change })).status, 400)
    await job.delete()
  })

  test(`${level}: ownership challenges, and jobs with them`, async () => {
    const challengeOf = async (destination_conf: string) => {
      // The resource has nothing more than its creation.
      const made = await expectOk('POST', `${scopes[level]}/logpush/ownership`, { destination_conf })
      assert.deepEqual([made['valid'], made['message'], typeof made['filename']], [true, '', 'string'])
      return String(await s3.read('logs', String(made['filename'])))
    }
    const [first, second] = [bucket(`${level}/first`), bucket(`${level}/second`)]
    const job = new JobResource(scopes[level])
    const configured = { destination_conf: first, ownership_challenge: await challengeOf(first), filter }
    await job.create(configured)
    await job.import(configured)
    await job.update({ ...configured, enabled: true })
    const moved = { ...configured, destination_conf: second }
    const refused = await job.refused(moved)
    assert.equal(refused.status, 400)
    assert.match(
      refused.message,
      /^incorrect ownership challenge: it was issued for another destination_conf; /,
    )
    const ownership_challenge = await challengeOf(second)
    await job.update({ ...moved, ownership_challenge })
    await job.update({ destination_conf: second, ownership_challenge })
    await job.delete()
  })

  test(`${level}: the data sources`, async () => {
    const logpush = `${scopes[level]}/logpush`
    for (const dataset of ['http_requests', 'firewall_events']) {
      const fields = await expectOk('GET', `${logpush}/datasets/${dataset}/fields`)
      assert.ok(!Array.isArray(fields))
      assert.match(String(fields['RayID']), /^string; /)
    }
    const made = await expectOk(
      'POST',
      `${logpush}/jobs`,
      createdJob(plannedJob({ destination_conf: file('data') })),
    )
    const path = `${logpush}/jobs/${made['id']}`
    assert.deepEqual(await expectOk('GET', path), made)
    assert.deepEqual(await expectOk('GET', `${logpush}/jobs`), [made])
    assert.deepEqual(await expectOk('GET', `${logpush}/datasets/http_requests/jobs`), [made])
    assert.deepEqual(await expectOk('GET', `${logpush}/datasets/firewall_events/jobs`), [])
    await expectOk('DELETE', path)
  })
}

test('the retention of Logpull', async () => {
  const path = `${scopes.zone}/logs/control/retention/flag`
  for (const flag of [true, true, false]) {
    assert.deepEqual(await expectOk('POST', path, { flag }), { flag })
    // Also what an import does: its id is the zone's.
    assert.deepEqual(await expectOk('GET', path), { flag })
  }
})
