import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type Instance } from './sluice.ts'

/** Answers in a row, each on a separate connection, after which every worker was almost certainly asked. */
const answersInRow = 30
const timeoutMs = 60_000
let zones = 0

/**
 * Resolves when every change of zones and their rules that was made up to now is in force at every edge worker. Workers
 * take changes over in their order, so another one is made and looked for: a zone whose origin does not answer.
 */
export async function inForce(instance: Instance): Promise<void> {
  const name = `in-force-${++zones}.test`
  const [account] = (await api(instance, 'GET', '/accounts')).result
  const made = await api(instance, 'POST', '/zones', {
    name,
    account: { id: account.id },
    origin: { url: 'http://127.0.0.1:1' },
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  const deadline = Date.now() + timeoutMs
  for (let seen = 0; seen < answersInRow; ) {
    if ((await statusOf(instance.edgePort, name)) === 502) seen++
    else {
      assert.ok(Date.now() < deadline, `a change is not in force after ${timeoutMs} ms`)
      seen = 0
      await sleep(20)
    }
  }
  await api(instance, 'DELETE', `/zones/${made.result.id}`)
}

function statusOf(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, headers: { host }, agent: false }, answer => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
    sent.once('error', reject).end()
  })
}
