import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionFindings } from './servers.ts'

test('an old NATS server of a cluster has a warning with the version to update to', () => {
  const warnedAbout = (version: string, replicas = 3) =>
    versionFindings({ server: 'queue1', version }, replicas).length === 1
  const old = ['2.9.10', '2.9.25', '2.10.22', '1.4.1']
  assert.deepEqual(
    old.filter(version => warnedAbout(version)),
    old,
  )
  const recent = ['2.10.23', '2.10.29', '2.11.0-RC.1', '2.12.1', '3.0.0']
  assert.deepEqual(
    recent.filter(version => warnedAbout(version)),
    [],
  )
  assert.equal(warnedAbout('2.9.10', 1), false, 'a single server has no peers')
  const [finding] = versionFindings({ server: 'queue1', version: '2.9.10' }, 3)
  assert.match(
    JSON.stringify(finding),
    /queue1 has NATS 2\.9\.10: .*update the NATS servers to 2\.10\.23 or newer/,
  )
})
