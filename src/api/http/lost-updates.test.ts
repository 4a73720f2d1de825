import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../../test/support/servers.ts'
import { newCipher } from '../../kit/cipher.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { shareOf } from '../../kit/testing/share.ts'
import { managedResponseTransforms } from '../../model/managed-transforms.ts'
import type { Json, JsonObject } from '../../model/resource.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../../store/index.ts'
import { jobLimits, listLimits } from '../../store/limits.ts'
import { type Answer, openTestApi, type TestApi } from '../testing/test-api.ts'

const cipher = newCipher(new Uint8Array(32))

/** Two writes at once meet in nearly every try. */
const tries = shareOf(64)

/** Two control processes on one database; neither undoes a confirmed change of the other. */
function lostUpdateSuite(name: string, openDatabase: () => Promise<Database>): void {
  describe(name, () => {
    let database: Database
    let apis: readonly [TestApi, TestApi]
    before(async () => {
      database = await openDatabase()
      const first = await openTestApi({}, database.open)
      apis = [first, await openTestApi({}, database.open)]
    })
    after(async () => {
      for (const api of apis) await api.close()
      await database.close()
    })

    test('a token that is rolled and edited at once has the new secret and the new name', async () => {
      const [one, two] = apis
      const policies = [
        {
          effect: 'allow',
          permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
          resources: { [`com.cloudflare.api.account.zone.${one.zoneId}`]: '*' },
        },
      ]
      const made = (await one.send('POST', '/user/tokens', { name: 'old', policies })).body.result
      for (let n = 0; n < tries; n++) {
        const body = { name: `name ${n}`, policies }
        const [rolled, edited] = await Promise.all([
          one.send('PUT', `/user/tokens/${made.id}/value`, {}),
          two.send('PUT', `/user/tokens/${made.id}`, body),
        ])
        assert.deepEqual([rolled.status, edited.status], [200, 200])
        const kept = (await one.store.tokens.get(made.id))!
        assert.equal(kept.hash, hashSecret(rolled.body.result), `the secret of try ${n}`)
        assert.equal(kept.name, body.name)
      }
    })

    test('edits of different members of a zone are both kept', async () => {
      const [one, two] = apis
      for (let n = 0; n < tries; n++) {
        const [paused, url] = [n % 2 === 0, `http://127.0.0.1:${9000 + n}`]
        await succeed(
          one.send('PATCH', one.zonePath, { paused }),
          two.send('PATCH', one.zonePath, { origin: { url } }),
        )
        const kept = (await one.store.zones.get(one.zoneId))!
        assert.deepEqual([kept.paused, kept.originUrl], [paused, url])
      }
    })

    test('edits of different members of the redaction are both kept', async () => {
      const [one, two] = apis
      const path = `${one.zonePath}/logs/control/redaction`
      for (let n = 0; n < tries; n++) {
        const [cookies, parameter] = [n % 2 === 0, `p${n}`]
        await succeed(
          one.send('PUT', path, { cookies }),
          two.send('PUT', path, { query_parameters: [parameter] }),
        )
        const kept = (await one.send('GET', path)).body.result
        assert.deepEqual([kept.cookies, kept.query_parameters], [cookies, [parameter]])
      }
    })

    test('of two managed transforms that exclude each other one is switched on', async () => {
      const [one, two] = apis
      const path = `${one.zonePath}/managed_headers`
      const on = (id: string) => ({ managed_request_headers: [{ id, enabled: true }] })
      for (let n = 0; n < tries; n++) {
        const answers = await Promise.all([
          one.send('PATCH', path, on('add_true_client_ip_headers')),
          two.send('PATCH', path, on('remove_visitor_ip_headers')),
        ])
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400], `try ${n}`)
        const { managed_request_headers: kept } = (await one.send('GET', path)).body.result
        const wanted = answers.find(({ status }) => status === 200)?.body.result.managed_request_headers
        assert.deepEqual(kept, wanted)
        assert.equal((await two.send('DELETE', path)).status, 204)
      }
    })

    test('the trail has each change after the change that it is based on', async () => {
      const [one, two] = apis
      const zone = one.zonePath
      const shadow = { enabled: false, version: 'latest', paranoia_level: 2, sample_rate: 0 }
      const list = `/accounts/${one.accountId}/rules/lists`
      const ofList = `${list}/${(await one.send('POST', list, { name: 'told', kind: 'ip' })).body.result.id}`
      const jobs = `${zone}/logpush/jobs`
      const job = {
        dataset: 'http_requests',
        destination_conf: `file://${one.directory}/told`,
        enabled: false,
      }
      const ofJob = `${jobs}/${(await one.send('POST', jobs, job)).body.result.id}`
      const normalization = { scope: 'both' }
      const writes: readonly [kind: string, method: 'PUT' | 'PATCH' | 'POST', path: string, body: Body][] = [
        ['zone', 'PATCH', zone, n => ({ origin: { url: `http://127.0.0.1:${7000 + n}` } })],
        ['zone_setting', 'PATCH', `${zone}/settings/ip_geolocation`, n => ({ value: n % 2 ? 'on' : 'off' })],
        [
          'url_normalization',
          'PUT',
          `${zone}/url_normalization`,
          n => ({ ...normalization, type: types[n % 2] }),
        ],
        ['managed_headers', 'PATCH', `${zone}/managed_headers`, transforms],
        ['shadow', 'PUT', `${zone}/waf/shadow`, n => ({ ...shadow, score_threshold: n + 1 })],
        ['what_if_sampling', 'PUT', `${zone}/security/what_if/sampling`, n => ({ sample_rate: n / 64 })],
        ['logpull_retention', 'POST', `${zone}/logs/control/retention/flag`, n => ({ flag: n % 2 === 1 })],
        ['log_redaction', 'PUT', `${zone}/logs/control/redaction`, n => ({ query_parameters: [`told${n}`] })],
        ['list', 'PUT', ofList, n => ({ description: `n${n}` })],
        ['logpush_job', 'PUT', ofJob, n => ({ name: `n${n}` })],
      ]
      for (const [kind, method, path, body] of writes) {
        for (let n = 0; n < 16; n += 2)
          await succeed(one.send(method, path, body(n)), two.send(method, path, body(n + 1)))
        const page = { offset: 0, limit: 16, resourceKind: kind } as const
        const newest = await one.store.audit.list(one.accountId, page)
        assert.equal(newest.length, 16, kind)
        const told = newest.toReversed().map(({ before, after }) => [settingsOf(before), settingsOf(after)])
        for (const [at, [before]] of told.entries())
          if (at > 0) assert.deepEqual(before, told[at - 1]![1], `${kind}, change ${at}`)
      }
    })

    test('a resource that is deleted during an edit is deleted in the state that the trail shows', async () => {
      const [one, two] = apis
      const account = `/accounts/${one.accountId}`
      const job = {
        dataset: 'http_requests',
        destination_conf: `file://${one.directory}/gone`,
        enabled: false,
      }
      const shadow = {
        enabled: true,
        version: 'latest',
        paranoia_level: 1,
        score_threshold: 9,
        sample_rate: 1,
      }
      for (let n = 0; n < 8; n++) {
        const zone = { name: `gone${n}.example`, account: { id: one.accountId }, origin: { url: 'http://a' } }
        const made = async (at: string, body: object) =>
          `${at}/${(await one.send('POST', at, body)).body.result.id}`
        await succeed(one.send('PUT', `${one.zonePath}/waf/shadow`, shadow))
        for (const [kind, path, method, edit] of [
          ['shadow', `${one.zonePath}/waf/shadow`, 'PUT', { ...shadow, enabled: false }],
          [
            'list',
            await made(`${account}/rules/lists`, { name: `gone${n}`, kind: 'ip' }),
            'PUT',
            { description: 'x' },
          ],
          ['logpush_job', await made(`${one.zonePath}/logpush/jobs`, job), 'PUT', { name: 'x' }],
          ['zone', await made('/zones', zone), 'PATCH', { paused: true }],
        ] as const) {
          const [deleted, ...edits] = await Promise.all([
            one.send('DELETE', path),
            two.send(method, path, edit),
            ...(kind === 'zone'
              ? [two.send('PUT', `${path}/logs/control/redaction`, { cookies: false })]
              : []),
          ])
          assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
          for (const { status, body } of edits)
            assert.ok(status === 200 || status === 404, JSON.stringify(body))
          const page = { offset: 0, limit: 3, resourceKind: kind } as const
          const newest = await one.store.audit.list(one.accountId, page)
          const at = newest.findIndex(({ action }) => action === 'delete')
          assert.deepEqual(settingsOf(newest[at]!.before), settingsOf(newest[at + 1]!.after), `${kind} ${n}`)
        }
      }
    })

    test('a zone has one session of Instant Logs, whichever process creates it', async () => {
      const [one, two] = apis
      const path = `${one.zonePath}/logpush/edge/jobs`
      for (let n = 0; n < tries; n++) {
        const answers = await Promise.all([one.send('POST', path, {}), two.send('POST', path, {})])
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403], `try ${n}`)
        assert.equal((await one.send('GET', path)).body.result.length, 1)
        await succeed(two.send('DELETE', path))
      }
    })

    test('edits of different members of a Logpush job are both kept', async () => {
      const [one, two] = apis
      const jobs = `${one.zonePath}/logpush/jobs`
      const job = { dataset: 'http_requests', destination_conf: `file://${one.directory}/logs` }
      const made = await one.send('POST', jobs, job)
      assert.equal(made.status, 200, JSON.stringify(made.body))
      const path = `${jobs}/${made.body.result.id}`
      for (let n = 0; n < tries; n++) {
        const [name, max] = [`job${n}`, 1000 + n]
        await succeed(one.send('PUT', path, { name }), two.send('PUT', path, { max_upload_records: max }))
        const kept = (await one.send('GET', path)).body.result
        assert.deepEqual([kept.name, kept.max_upload_records], [name, max])
      }
    })

    test('rules that are added to one ruleset at once are all kept', async () => {
      const rule = (ref: string) => ({ action: 'block', expression: 'true', ref })
      const [one] = apis
      const phase = `${one.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`
      const made = (await one.send('PUT', phase, { rules: [] })).body.result
      const path = `${one.zonePath}/rulesets/${made.id}/rules`
      const refs = Array.from({ length: 20 }, (_, n) => `r${n}`)
      await succeed(...refs.map((ref, n) => apis[n % 2]!.send('POST', path, rule(ref))))
      const kept = (await one.send('GET', phase)).body.result.rules.map(({ ref }: { ref: string }) => ref)
      assert.deepEqual(kept.sort(), refs.sort())
    })

    test('a list is deleted only while no rule names it, whichever process writes the rule', async () => {
      const [one, two] = apis
      const lists = `/accounts/${one.accountId}/rules/lists`
      const phase = `${one.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`
      for (let n = 0; n < tries; n++) {
        const list = (await one.send('POST', lists, { name: `race_${n}`, kind: 'ip' })).body.result
        const rules = [{ action: 'block', expression: `ip.src in $race_${n}` }]
        const [deleted, named] = await Promise.all([
          one.send('DELETE', `${lists}/${list.id}`),
          two.send('PUT', phase, { rules }),
        ])
        assert.notEqual(deleted.status, named.status, `${deleted.status} and ${named.status} of try ${n}`)
        const stored = await one.store.lists.get(one.accountId, list.id)
        assert.equal(stored !== undefined, named.status === 200)
        assert.equal((await one.send('PUT', phase, { rules: [] })).status, 200)
      }
    })

    test('a custom ruleset is deleted only while no rule executes it, whichever process writes the rule', async () => {
      const [one, two] = apis
      const at = `/accounts/${one.accountId}/rulesets`
      const root = `${at}/phases/http_request_firewall_custom/entrypoint`
      const body = { name: 'own', kind: 'custom', phase: 'http_request_firewall_custom', rules: [] }
      for (let n = 0; n < tries; n++) {
        const { id } = (await one.send('POST', at, body)).body.result
        const rules = [{ action: 'execute', expression: 'true', action_parameters: { id } }]
        const [deleted, executed] = await Promise.all([
          one.send('DELETE', `${at}/${id}`),
          two.send('PUT', root, { rules }),
        ])
        assert.notEqual(deleted.status === 204, executed.status === 200)
        assert.equal((await one.send('PUT', root, { rules: [] })).status, 200)
      }
    })

    test('a process that starts leaves the list operations of another alone', async () => {
      const [one] = apis
      const operation = { id: 'a'.repeat(32), accountId: one.accountId, status: 'running' } as const
      await one.store.lists.putOperation(operation)
      const started = await openTestApi({}, database.open)
      await started.app.ready()
      await started.close()
      const kept = await one.store.lists.operation(one.accountId, operation.id)
      assert.equal(kept?.status, 'running')
    })

    test('two processes together stay within the limits of lists, jobs and replays', async () => {
      const [one] = apis
      const scope = { kind: 'zone', id: one.zoneId } as const
      const job = {
        dataset: 'http_requests',
        destination_conf: `file://${one.directory}/many`,
        enabled: true,
      }
      const jobs = `${one.zonePath}/logpush/jobs`
      const { id } = (await one.send('POST', jobs, job)).body.result
      const stored = (await one.store.jobs.get(scope, id))!
      while ((await one.store.jobs.list(scope)).length < jobLimits.jobsPerZoneMax - 1)
        await one.store.jobs.insert({ ...stored, enabled: false })
      const lists = `/accounts/${one.accountId}/rules/lists`
      for (
        let n = (await one.store.lists.list(one.accountId)).length;
        n < listLimits.listsPerAccountMax - 1;
        n++
      )
        await succeed(one.send('POST', lists, { name: `many_${n}`, kind: 'ip' }))
      const replays = `${jobs}/${id}/replay`
      const replay = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' }
      for (let n = 1; n < jobLimits.replaysRunningMax; n++) await succeed(one.send('POST', replays, replay))
      for (const [path, body] of [
        [jobs, () => job],
        [lists, (n: number) => ({ name: `last_${n}`, kind: 'ip' })],
        [replays, () => replay],
      ] as const) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) => apis[n % 2]!.send('POST', path, body(n))),
        )
        assert.equal(answers.filter(({ status }) => status === 200).length, 1, path)
      }
    })
  })
}

async function succeed(...answers: readonly Promise<Answer>[]): Promise<void> {
  for (const { status, body } of await Promise.all(answers)) assert.equal(status, 200, JSON.stringify(body))
}

type Body = (n: number) => object

const types = ['cloudflare', 'rfc3986'] as const

const transforms: Body = n => ({
  managed_response_headers: [{ id: managedResponseTransforms[n % 2], enabled: n % 4 < 2 }],
})

/** Without the moment of the change, which it alone may tell. */
function settingsOf(value: Json): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { modified_on, ...settings } = value as JsonObject
  return settings
}

/**
 * SQLite's driver answers in the same turn of the event loop, so that one request would be done before the other begins.
 * Between two processes others come in between.
 */
function unhurried<T extends object>(store: T): T {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === 'object' && member !== null) return unhurried(member)
      if (typeof member !== 'function') return member
      return async (...parameters: unknown[]) => {
        const answer: unknown = await member.apply(target, parameters)
        await sleep(Math.random() * 3)
        return answer
      }
    },
  })
}

interface Database {
  open(): Promise<Store>
  close(): Promise<void>
}

lostUpdateSuite('on SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-lost-'))
  return {
    open: async () =>
      unhurried(await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher })),
    close: () => rm(directory, { recursive: true }),
  }
})

lostUpdateSuite('on PostgreSQL', async () => {
  const server = await startPostgres()
  return {
    open: () => openPostgresStore(server.url, { migrate: true, cipher, connections: 8 }),
    close: () => server.close(),
  }
})
