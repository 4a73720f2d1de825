import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell } from './looks.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'

let dashboard: DashboardTest | undefined
let customId = ''
before(async () => {
  if (skip) return
  dashboard = await openDashboard()
  if (dashboard === undefined) return
  customId = await changeCustomRules(dashboard)
  const execute = (overrides: object) => ({
    rules: [
      {
        ref: 'owasp',
        action: 'execute',
        expression: 'true',
        description: 'OWASP',
        action_parameters: { id: owasp, overrides },
      },
    ],
  })
  await put(dashboard, managed, execute({ categories: [{ category: 'paranoia-level-4', enabled: false }] }))
  await put(
    dashboard,
    managed,
    execute({
      categories: [
        { category: 'paranoia-level-2', enabled: false },
        { category: 'paranoia-level-3', enabled: false },
        { category: 'paranoia-level-4', enabled: false },
      ],
      rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25 }],
    }),
  )
})
after(() => dashboard?.close())

const test_ = (name: string, body: (dashboard: DashboardTest) => Promise<void>) =>
  test(name, { skip }, async t => {
    if (dashboard === undefined) return t.skip('no Chromium starts here')
    await body(dashboard)
  })

async function put({ sluice, zoneId }: DashboardTest, phase: string, body: object) {
  const answer = await api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer.result
}

const block = (ref: string, path: string, members: object = {}) => ({
  ref,
  action: 'block',
  expression: `http.request.uri.path eq "${path}"`,
  description: `No ${ref}`,
  ...members,
})

/** Versions: 1 two rules, 2 one of them changed, 3 the other removed and a new one added. @returns the ruleset's id */
async function changeCustomRules(it: DashboardTest): Promise<string> {
  await put(it, custom, { rules: [block('admin', '/admin'), block('login', '/login')] })
  await put(it, custom, { rules: [block('admin', '/admin', { action: 'log' }), block('login', '/login')] })
  const { id } = await put(it, custom, {
    rules: [block('admin', '/admin', { action: 'log' }), block('shop', '/shop')],
  })
  return id
}

const current = async ({ sluice, zoneId }: DashboardTest) =>
  (await api(sluice, 'GET', `/zones/${zoneId}/rulesets/${customId}`)).result

test_('versions are listed with their differences, rule by rule', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}` })
  const version = (number: number) => page.getByRole('region', { name: `Version ${number}` })
  const differences = (number: number) => version(number).getByRole('list', { name: 'Differences' })
  await differences(3).waitFor()
  await eventually(async () =>
    assert.deepEqual(
      (await differences(3).locator('> li').allTextContents()).map(text => text.slice(0, 14)),
      ['AddedNo shopAc', 'RemovedNo logi'],
    ),
  )
  await page.getByRole('grid', { name: 'Versions' }).getByText('2', { exact: true }).click()
  await differences(2).getByText('action:').waitFor()
  await eventually(async () =>
    assert.match((await differences(2).textContent()) ?? '', /Changed.*No admin.*action: block → log/),
  )
  await version(2).getByRole('combobox', { name: 'Compared with' }).selectOption('Version 3')
  await differences(2).getByText('No shop', { exact: true }).waitFor()
  await page.reload()
  await differences(2).getByText('No shop', { exact: true }).waitFor()
  await page.getByRole('grid', { name: 'Versions' }).getByText('1', { exact: true }).click()
  await version(1).getByText('2 rules').waitFor()
})

test_('changes of the managed ruleset use its terms', async it => {
  // The version in the address belongs to another ruleset.
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}&version=1` })
  await page.getByRole('button', { name: 'Restore version 1' }).waitFor()
  await page.getByRole('combobox', { name: 'Ruleset' }).selectOption('Managed rules')
  await page.getByText('Paranoia level: PL3 → PL1.').waitFor()
  await page.getByText('Threshold: Medium (40) → High (25). Fewer matching rules reach it.').waitFor()
})

test_('a version is restored as a new one, including deleted rules', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}&version=1` })
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No login', { exact: true }).waitFor()
  await dialog.getByText('No shop', { exact: true }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restored as version 4').waitFor()
  await page.getByRole('region', { name: 'Version 4' }).waitFor()
  const { version, rules } = await current(it)
  assert.equal(version, '4')
  assert.deepEqual(
    rules.map((rule: { ref: string; action: string }) => `${rule.ref} ${rule.action}`),
    ['admin block', 'login block'],
  )
})

test_('changes of another user are not overwritten', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}&version=2` })
  await page.getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('dialog').getByText('Changes to the active version').waitFor()
  await put(it, custom, { rules: [block('other', '/other')] })
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restore failed').waitFor()
  await eventually(async () => assert.deepEqual((await current(it)).rules.length, 1))
  await page.getByRole('dialog').getByText('No other', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restored as version 6').waitFor()
})

test_('rulesets of the account have a history too', async it => {
  const made = await api(it.sluice, 'POST', `/accounts/${it.accountId}/rulesets`, {
    kind: 'custom',
    name: 'Bots',
    phase: custom,
    rules: [{ action: 'block', expression: 'ssl', description: 'No TLS' }],
  })
  assert.equal(made.status, 200)
  const page = await it.page({ path: '/history' })
  await page.getByRole('combobox', { name: 'Ruleset' }).selectOption('Bots (custom rules)')
  await page.getByRole('region', { name: 'Version 1' }).getByText('1 rule', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show rules' }).click()
  await page.getByText('"No TLS"').waitFor()
})

test_('a long list of differences starts with the first hundred', async it => {
  const many = Array.from({ length: 150 }, (_, n) => block(`r${n}`, `/${n}`))
  const { version } = await put(it, custom, { rules: many })
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}` })
  const shown = page.getByRole('region', { name: `Version ${version}` }).getByRole('list', {
    name: 'Differences',
  })
  await page.getByRole('button', { name: /^Show more/ }).waitFor()
  assert.equal(await shown.locator('> li').count(), 100)
  await page.getByRole('button', { name: /^Show more/ }).click()
  await shown.getByText('No r149', { exact: true }).waitFor()
})

test_('the page is accessible in every look', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/history?ruleset=${customId}&version=3` })
  await page.getByRole('list', { name: 'Differences' }).waitFor()
  await looksWell(page, 'history')
  assert.deepEqual(it.faults, [])
})
