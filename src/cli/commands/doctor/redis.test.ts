import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectRedis } from '../../../bus/redis/connection.ts'
import { noRedis, startRedis } from '../../../bus/testing/redis-server.ts'
import { readSettings } from '../../../model/settings/index.ts'
import { checkRedis } from './redis.ts'

const everyPermission = '+eval +select +time +hgetall +hset +del +pexpireat +xadd +xrange'.split(' ')

test('a missing permission is a fault, whichever it is', { skip: noRedis }, async t => {
  if (noRedis !== false) return
  const server = await startRedis()
  t.after(() => server.stop())
  const admin = await connectRedis({ url: server.url, ca: undefined, prefix: '' })
  t.after(() => admin.close())
  for (const lacking of [undefined, '+hset', '+xadd', '+xrange']) {
    const permissions = everyPermission.filter(permission => permission !== lacking)
    await admin.send(['ACL', 'SETUSER', 'sluice', 'reset', 'on', '>secret', '~sluice:*', ...permissions])
    const [finding] = await findings({ SLUICE_REDIS_URL: `redis://sluice:secret@127.0.0.1:${server.port}` })
    assert.equal(finding?.state, lacking === undefined ? 'ok' : 'fault', String(lacking))
    if (lacking !== undefined) assert.match(finding?.action ?? '', /^give the user the permissions/, lacking)
  }
})

test('a file that cannot be read is a fault of its setting under any name, and shows no password', async () => {
  for (const SLUICE_REDIS_CA of ['/nowhere/certificate.pem', '/nowhere/permission denied.pem', '/']) {
    const [finding] = await findings({ SLUICE_REDIS_URL: 'REDIS://user:hidden@127.0.0.1:9', SLUICE_REDIS_CA })
    assert.equal(finding?.action, 'correct SLUICE_REDIS_CA')
    assert.doesNotMatch(JSON.stringify(finding), /hidden/)
  }
})

function findings(environment: Readonly<Record<string, string>>) {
  const settings = readSettings(environment)
  assert.ok(settings.ok)
  return checkRedis(settings.value)
}
