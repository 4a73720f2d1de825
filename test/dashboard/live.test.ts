import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { flows } from './support.ts'

/** Log lines in real time. */
const flow = flows()

const connected = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor()

flow(
  'lines appear in real time, stop during a pause, and are complete after it',
  async ({ page: open, visit, zoneId }) => {
    await visit('/warm-up')
    const page = await open({ path: `/zones/${zoneId}/live` })
    await connected(page)
    await page.getByText('Waiting for requests').waitFor()
    const grid = page.getByRole('grid', { name: 'Log lines' })
    await visit('/first?a=1')
    await grid.getByText('/first?a=1').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await visit('/second')
    await page.getByText('1 since the pause').waitFor()
    await eventually(async () => assert.equal(await grid.getByText('/second').count(), 0))
    await page.getByRole('button', { name: 'Resume' }).click()
    await grid.getByText('/second').waitFor()
    // Newest first.
    const paths = await grid.getByRole('row').allInnerTexts()
    assert.match(paths[1]!, /\/second/)
    assert.match(paths[2]!, /\/first/)
    await page.getByRole('button', { name: 'Copy as JSON' }).click()
    await eventually(async () => {
      const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
      assert.deepEqual(
        copied.map(line => JSON.parse(line).ClientRequestURI),
        ['/second', '/first?a=1'],
      )
    })
  },
)

flow('Sluice applies the filter, and the address keeps it', async ({ page: open, visit, zoneId, sluice }) => {
  // Ends the session of a closed tab.
  await api(sluice, 'DELETE', `/zones/${zoneId}/logpush/edge/jobs`)
  const page = await open({ path: `/zones/${zoneId}/live` })
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Field').selectOption({ label: 'Status' })
  await page.getByLabel('Operator').selectOption({ label: 'is at least' })
  await page.getByLabel('Value').fill('four hundred')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Enter a whole number').waitFor()
  await page.getByLabel('Value').fill('400')
  await page.keyboard.press('Enter')
  await page.getByText('Status is at least 400').waitFor()
  await page.waitForURL(/filter=/)
  await page.getByText('No matching requests yet').waitFor()
  const sessions = async () => (await api(sluice, 'GET', `/zones/${zoneId}/logpush/edge/jobs`)).result
  const wanted = { where: { key: 'EdgeResponseStatus', operator: 'geq', value: 400 } }
  for (let tries = 0; !(await sessions())[0]?.filter; tries++) {
    assert.ok(tries < 200)
    await sleep(100)
  }
  await eventually(async () => assert.deepEqual(JSON.parse((await sessions())[0].filter), wanted))
  await connected(page)
  await visit('/fine')
  await visit('/missing')
  const grid = page.getByRole('grid', { name: 'Log lines' })
  await grid.getByText('/missing').waitFor()
  await eventually(async () => assert.equal(await grid.getByText('/fine').count(), 0))
  await page.getByRole('button', { name: 'Remove filter: Status is at least 400' }).click()
  await page.waitForURL(url => !url.search.includes('filter'))
  // Until the session without the filter is there: a filtered one that outlives its page is another user's to the next.
  await eventually(async () => {
    const [session] = await sessions()
    assert.ok(session !== undefined && !session.filter)
  })
})

flow('columns are selectable, and a line shows all its fields', async ({ page: open, visit, zoneId }) => {
  const page = await open({ path: `/zones/${zoneId}/live?columns=ClientRequestURI,EdgeResponseStatus` })
  await connected(page)
  const grid = page.getByRole('grid', { name: 'Log lines' })
  await visit('/seen', { 'user-agent': 'curl/9.9' })
  await grid.getByText('/seen').waitFor()
  await eventually(async () =>
    assert.deepEqual(await grid.getByRole('columnheader').allInnerTexts(), ['Path and query', 'Status']),
  )
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('User agent').check()
  await page.keyboard.press('Escape')
  await grid.getByText('curl/9.9').waitFor()
  await page.waitForURL(/ClientRequestUserAgent/)
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Log line' })
  await details.getByText('ClientRequestUserAgent').waitFor()
  await screenshot(page, 'live-details')
  assert.deepEqual(await axeViolations(page), [])
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
})

flow(
  'the session of another user is not ended without confirmation',
  async ({ page: open, visit, zoneId, sluice }) => {
    const path = `/zones/${zoneId}/logpush/edge/jobs`
    await api(sluice, 'DELETE', path)
    const theirs = await api(sluice, 'POST', path, { fields: 'ClientRequestURI,RayID', sample: 1 })
    assert.equal(theirs.status, 200)
    const page = await open({ path: `/zones/${zoneId}/live` })
    await page.getByText('This zone has another active session').waitFor()
    await page.getByRole('button', { name: 'Join session' }).click()
    await connected(page)
    await visit('/theirs')
    await page.getByRole('grid').getByText('/theirs').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'End it and start mine' }).click()
    await connected(page)
    const [now] = (await api(sluice, 'GET', path)).result
    assert.notEqual(now.session_id, theirs.result.session_id)
  },
)

flow('long lists of lines render visible rows only', async ({ page: open, zoneId, visit }) => {
  await visit('/warm-up')
  const page = await open({ path: `/zones/${zoneId}/live` })
  await connected(page)
  for (let round = 0; round < 30; round++)
    await Promise.all(Array.from({ length: 10 }, (_, i) => visit(`/many/${round}/${i}`)))
  const grid = page.getByRole('grid', { name: 'Log lines' })
  for (let tries = 0; Number(await grid.getAttribute('aria-rowcount')) < 301; tries++) {
    assert.ok(tries < 300, String(await grid.getAttribute('aria-rowcount')))
    await sleep(100)
  }
  await eventually(async () => assert.ok((await grid.getByRole('row').count()) < 60))
  await looksWell(page, 'live')
})
