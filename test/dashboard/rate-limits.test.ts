import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { axeViolations, looksWell } from './looks.ts'
import { answersWith, putRules, storedRules, untilEqual } from './rules-support.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const phase = 'http_ratelimit'

describe('rate limiting rules', { skip }, () => {
  let dashboard: DashboardTest

  before(async () => {
    dashboard = (await openDashboard())!
    assert.ok(dashboard, 'no Chromium starts here')
  })
  after(() => dashboard?.close())

  test('a rate limit from the form applies at the edge, per characteristic', async () => {
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/rate-limits?new=1` })
    page.setDefaultTimeout(30_000)
    await page.getByLabel('Rule name').fill('Three searches a minute')
    await page.getByLabel('Value, condition 1').fill('/search')
    await page.getByRole('combobox', { name: 'Characteristic 1' }).click()
    await page.getByRole('option', { name: 'Header value of' }).click()
    await page.getByLabel('Name 1').fill('X-Api-Key')
    await page.getByRole('button', { name: 'Add characteristic' }).click()
    // Clears the field and types again.
    const requests = page.getByRole('textbox', { name: 'Requests' })
    await requests.focus()
    await page.keyboard.press('End')
    for (let digit = 0; digit < 3; digit++) await page.keyboard.press('Backspace')
    await page.keyboard.type('3')
    assert.equal(await requests.inputValue(), '3')
    await page.getByRole('combobox', { name: 'With response type' }).click()
    await page.getByRole('option', { name: 'Custom text' }).click()
    const code = page.getByRole('textbox', { name: 'Response code' })
    await code.fill('42')
    await page.getByText('Enter a number from 400 to 499').waitFor()
    await code.blur()
    assert.equal(await code.inputValue(), '429')
    await page.getByLabel('Response body').fill('slower, please')
    await page.getByRole('combobox', { name: 'For duration' }).click()
    await page.getByRole('option', { name: '10 seconds' }).click()
    await page.getByRole('button', { name: /^. API call$/ }).click()
    await page.getByText('"requests_per_period": 3').waitFor()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText(/^3 requests in 1 minute by Header value of x-api-key, IP/).waitFor()

    const [rule] = await storedRules(dashboard, phase)
    assert.deepEqual(rule?.ratelimit, {
      characteristics: ['http.request.headers["x-api-key"]', 'ip.src'],
      period: 60,
      requests_per_period: 3,
      mitigation_timeout: 10,
    })
    // Some requests pass before the edge has the rule, then as many as it allows.
    const answer = await answersWith(dashboard, '/search', 429, { 'x-api-key': 'one' })
    assert.equal(await answer.text(), 'slower, please')
    assert.equal((await dashboard.visit('/search', { 'x-api-key': 'two' })).status, 200)
    assert.equal((await dashboard.visit('/other', { 'x-api-key': 'one' })).status, 200)
  })

  test('a rate limit can count responses, and the form keeps other members', async () => {
    const ratelimit = {
      characteristics: ['ip.src', 'lower(http.host)'],
      period: 90,
      requests_per_period: 2,
      mitigation_timeout: 0,
      requests_to_origin: true,
    }
    await putRules(dashboard, phase, [
      { action: 'block', expression: 'http.request.uri.path eq "/login"', description: 'Guesses', ratelimit },
    ])
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/rate-limits` })
    page.setDefaultTimeout(30_000)
    await page.getByRole('link', { name: 'Guesses' }).click()
    await eventually(async () =>
      assert.equal(await page.getByLabel('Expression 2').inputValue(), 'lower(http.host)'),
    )
    await eventually(async () => assert.equal(await page.getByLabel('Period, seconds').inputValue(), '90 s'))
    await page.getByRole('checkbox', { name: 'Use a custom counting expression' }).check()
    const counting = page.getByRole('group', { name: 'Increment counter when' })
    await counting.getByRole('button', { name: 'Edit expression' }).click()
    await counting.getByRole('textbox', { name: 'Increment counter when' }).click()
    await page.keyboard.type('http.response.code eq 404')
    await page.keyboard.press('Escape')
    await counting.getByRole('button', { name: 'Use expression builder' }).click()
    const field = counting.getByRole('combobox', { name: 'Field, condition 1' })
    await eventually(async () => assert.equal(await field.inputValue(), 'Response status code'))
    await page.getByRole('button', { name: 'Save' }).click()
    await untilEqual(async () => (await storedRules(dashboard, phase))[0]?.ratelimit, {
      ...ratelimit,
      counting_expression: 'http.response.code eq 404',
    })
  })

  test('an API error is shown at its field', async () => {
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/rate-limits?new=1` })
    page.setDefaultTimeout(30_000)
    await page.getByLabel('Value, condition 1').fill('/x')
    await page.getByRole('combobox', { name: 'Characteristic 1' }).click()
    await page.getByRole('option', { name: 'Expression' }).click()
    await page.getByLabel('Expression 1').fill('http.request.headers')
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page
      .getByText(/its value must be no map/)
      .first()
      .waitFor()
    assert.deepEqual(await axeViolations(page), [])
  })

  test('the pages are accessible in every look', async () => {
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/rate-limits` })
    await page.getByRole('link', { name: 'Guesses' }).waitFor()
    await looksWell(page, 'rate-limits')
    await page.getByRole('link', { name: 'Guesses' }).click()
    await page.getByText('With the same characteristics').waitFor()
    await page.getByRole('group', { name: 'Increment counter when' }).waitFor()
    await looksWell(page, 'rate-limit-form')
    assert.deepEqual(dashboard.faults, [])
  })
})
