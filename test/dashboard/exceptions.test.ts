import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exceptionSearch } from '../../dashboard/src/domain/links/exception-link.ts'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { looksWell, screenshot } from './looks.ts'
import { answersWith, putRules, storedRules, untilEqual } from './rules-support.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const phase = 'http_request_firewall_managed'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const attack = encodeURIComponent('../../../../etc/passwd')
const injection = encodeURIComponent("1' or '1'='1' --")

const deployed = {
  action: 'execute',
  expression: 'true',
  description: 'OWASP',
  action_parameters: {
    id: owasp,
    overrides: {
      categories: ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4'].map(category => ({
        category,
        enabled: false,
      })),
      rules: [{ id: lastRule, score_threshold: 5 }],
    },
  },
}

describe('exceptions', { skip }, () => {
  let dashboard: DashboardTest

  before(async () => {
    dashboard = (await openDashboard())!
    assert.ok(dashboard, 'no Chromium starts here')
    await putRules(dashboard, phase, [deployed])
  })
  after(() => dashboard?.close())

  test('the narrowest exception allows one value, and nothing else', async () => {
    await answersWith(dashboard, `/files?q=${injection}`, 403)
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/exceptions` })
    page.setDefaultTimeout(30_000)
    await page.getByText('The managed ruleset runs here').waitFor()
    await page.getByRole('link', { name: 'Add exception' }).first().click()
    await page.getByLabel('Exception name').fill('Paths in searches')
    await page.getByLabel('Value, condition 1').fill('/files')
    await page.getByRole('radio', { name: 'One value' }).check()
    await page.getByRole('combobox', { name: 'Ignored by' }).click()
    await page.getByRole('option', { name: 'All rules with a tag' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('option', { name: 'attack-sqli' }).click()
    await page.getByRole('combobox', { name: 'Selection' }).click()
    await page.getByRole('option', { name: 'By name', exact: true }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('alert').filter({ hasText: 'Enter the name or path of each value.' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('q')
    await page.getByRole('button', { name: 'Add value' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).last().click()
    await page.getByRole('option', { name: 'attack-xss' }).last().click()
    // The first request is recorded after a moment.
    const preview = page.getByRole('button', { name: 'Preview effect' })
    const answer = page.getByText(/^1 mitigated request would (?:possibly )?be allowed/)
    await eventually(async () => {
      await preview.click()
      await answer.waitFor({ timeout: 1000 })
    })
    await screenshot(page, 'exception-preview')
    await page.getByRole('button', { name: 'In 30 days' }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('link', { name: 'Paths in searches' }).waitFor()
    await page.getByText(/^ends /).waitFor()

    const [exception, execute] = await storedRules(dashboard, phase)
    assert.equal(execute?.action, 'execute', 'the exception precedes the ruleset')
    assert.deepEqual(exception?.action_parameters, {
      targets: [
        { tag: 'attack-sqli', collection: 'ARGS', key: 'q' },
        { tag: 'attack-xss', collection: 'ARGS', key: 'q' },
      ],
    })
    await answersWith(dashboard, `/files?q=${injection}`, 200)
    assert.equal((await dashboard.visit(`/files?other=${injection}`)).status, 403)
    assert.equal((await dashboard.visit(`/elsewhere?q=${injection}`)).status, 403)
  })

  test('a link prefills the form, which saves rules by id', async () => {
    const { result } = await api(dashboard.sluice, 'GET', `/zones/${dashboard.zoneId}/rulesets/${owasp}`)
    const rules = ['930100', '930110', '930120', '932160'].map(
      number =>
        result.rules.find(({ description }: { description?: string }) => description?.startsWith(number)).id,
    )
    await putRules(dashboard, phase, [deployed])
    await answersWith(dashboard, `/files?q=${attack}`, 403)
    const search = exceptionSearch({
      description: 'From an event',
      expression: 'http.request.uri.path eq "/files"',
      rules,
    })
    const page = await dashboard.page({
      path: `/zones/${dashboard.zoneId}/exceptions?${new URLSearchParams(search)}`,
    })
    page.setDefaultTimeout(30_000)
    await eventually(async () =>
      assert.equal(await page.getByLabel('Value, condition 1').inputValue(), '/files'),
    )
    await eventually(async () =>
      assert.equal(await page.getByRole('radio', { name: 'Single rules' }).isChecked(), true),
    )
    await page.getByText(/^930120:/).waitFor()
    await page.getByRole('switch', { name: 'Log matching requests' }).uncheck()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText(/^4 rules, not logged/).waitFor()
    await answersWith(dashboard, `/files?q=${attack}`, 200)
    const [exception] = await storedRules(dashboard, phase)
    assert.deepEqual(exception?.action_parameters, { rules: { [owasp]: rules } })

    // Below the managed ruleset it has no effect.
    await page.getByRole('button', { name: 'Move From an event down' }).click()
    await untilEqual(
      async () => (await storedRules(dashboard, phase)).map(({ action }) => action),
      ['execute', 'skip'],
    )
    await answersWith(dashboard, `/files?q=${attack}`, 403)
  })

  test('whole rulesets, for all requests', async () => {
    await putRules(dashboard, phase, [deployed])
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/exceptions?new=1` })
    page.setDefaultTimeout(30_000)
    await page.getByRole('radio', { name: 'All incoming requests' }).check()
    await page.getByRole('radio', { name: 'Whole rulesets' }).check()
    await page.getByRole('combobox', { name: 'Rulesets' }).click()
    await page.getByRole('option', { name: /OWASP/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText('1 whole ruleset').waitFor()
    const [exception] = await storedRules(dashboard, phase)
    assert.deepEqual([exception?.expression, exception?.action_parameters], ['true', { rulesets: [owasp] }])
    await answersWith(dashboard, `/files?q=${attack}`, 200)
  })

  test('the pages are accessible in every look', async () => {
    const targets = [{ tag: 'attack-sqli', collection: 'ARGS', key: 'comment' }]
    const exception = {
      action: 'skip',
      description: 'Comments',
      expression: 'http.host eq "shop.test"',
      action_parameters: { targets },
    }
    await putRules(dashboard, phase, [exception, deployed])
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/exceptions` })
    await page.getByRole('link', { name: 'Comments' }).waitFor()
    await looksWell(page, 'exceptions')
    await page.getByRole('link', { name: 'Comments' }).click()
    await page.getByText('Rules to skip').waitFor()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await looksWell(page, 'exception-form')
    assert.deepEqual(dashboard.faults, [])
  })
})
