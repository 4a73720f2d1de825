import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Server, startPostgres } from '../support/servers.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

/** The roll-out of changes, with two edges. */
let postgres: Server | undefined
let dashboard: DashboardTest | undefined
let otherEdge: Instance | undefined

before(async () => {
  if (skip !== false) return
  postgres = await startPostgres()
  const common = {
    SLUICE_DATABASE_URL: postgres.url,
    SLUICE_SECRET_KEY: '5a'.repeat(32),
    SLUICE_CRS: testCrs,
  }
  const staging = { SLUICE_ROLLOUT_SHARE: '50', SLUICE_ROLLOUT_PERIOD: '1h' }
  dashboard = await openDashboard({ ...common, ...staging })
  if (dashboard === undefined) return
  otherEdge = await startSluice({
    settings: { ...common, SLUICE_ROLES: 'edge,delivery', SLUICE_HEALTH_LISTEN: '127.0.0.1:0' },
  })
})

after(async () => {
  await dashboard?.close()
  if (otherEdge !== undefined) await discard(otherEdge)
  await postgres?.close()
})

test('a person withdraws staged changes, stages them again, and brings them to all edges', {
  skip,
}, async t => {
  if (dashboard === undefined) return t.skip('no Chromium starts here')
  const { sluice, accountId, zoneId } = dashboard
  const rollout = async () => (await api(sluice, 'GET', `/accounts/${accountId}/rollout`)).result
  const isIn = (state: string) => eventually(async () => assert.equal((await rollout()).state, state))
  await eventually(async () => assert.equal((await rollout()).first_edges.length, 1))
  const page = await dashboard.page({ path: '/roll-out' })
  await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
  const path = `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const rules = [{ action: 'block', expression: 'http.request.uri.path eq "/x"' }]
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  await page.getByRole('heading', { name: 'Staged' }).waitFor()
  await page.getByText('on the first edges only (50 %)').waitFor()
  await page.getByRole('grid', { name: 'Edges' }).getByText(', first').waitFor()
  await looksWell(page, 'rollout')
  const decide = async (verb: string) => {
    await page.getByRole('button', { name: verb }).click()
    await page.getByRole('dialog').getByRole('button', { name: verb }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await decide('Withdraw')
  await page.getByText('withdrawn: a person withdrew the changes').waitFor()
  await looksWell(page, 'rollout-withdrawn')
  await decide('Stage again')
  await isIn('staged')
  await page.getByRole('heading', { name: 'Staged' }).waitFor()
  await decide('Bring to all edges')
  await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
  await isIn('idle')
  assert.deepEqual(dashboard.faults, [])
})
