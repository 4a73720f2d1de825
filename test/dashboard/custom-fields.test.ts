import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const timeout = 60_000
const phase = 'http_log_custom_fields'

describe('custom fields', { skip }, () => {
  let t: DashboardTest
  let page: Page
  let path: string

  before(async () => {
    const opened = await openDashboard()
    if (opened === undefined) return
    t = opened
    path = `/zones/${t.zoneId}/custom-fields`
    await t.visit('/')
  })
  after(() => t?.close())

  const add = async (one: string, name: string) => {
    await page.getByRole('textbox', { name: `Name of a ${one}` }).fill(name)
    await page.keyboard.press('Enter')
  }
  const entryPoint = async () =>
    (await api(t.sluice, 'GET', `/zones/${t.zoneId}/rulesets/phases/${phase}/entrypoint`)).result
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  }

  test('each invalid name shows its rule', { timeout }, async () => {
    page = await t.page({ path })
    page.setDefaultTimeout(30_000)
    await page.getByText('0 of 40 custom fields').waitFor()
    for (const [one, name, want] of [
      ['request header', '', 'Enter the name of a request header'],
      ['request header', 'X-Request-ID', 'Use lower case: x-request-id'],
      ['request header', 'x request', 'A space is not allowed in the name of a header'],
      ['response header', 'x:cache', '“:” is not allowed in the name of a header'],
      ['response header', 'x'.repeat(257), 'A name has at most 256 characters'],
      ['cookie', 'a=b', '“=” is not allowed in the name of a cookie'],
    ] as const) {
      await add(one, name)
      await page.getByText(want, { exact: false }).waitFor()
    }
    await screenshot(page, 'custom-fields-faults')
    assert.deepEqual(await axeViolations(page), [])
    await page.getByRole('textbox', { name: 'Name of a request header' }).fill('X-Request-ID')
    await page.getByRole('button', { name: 'Add x-request-id' }).click()
    await page.getByText('1 of 40 custom fields').waitFor()
    await add('request header', 'x-request-id')
    await page.getByText('x-request-id is already in the list').waitFor()
    await page.getByRole('combobox', { name: 'Source of the request header' }).click()
    await page.getByRole('option', { name: 'After rewrites (transformed)' }).click()
    await page.getByText('x-request-id is already logged', { exact: false }).waitFor()
    await page.getByRole('textbox', { name: 'Name of a request header' }).fill('')
  })

  test('fields are added, saved and shown with recent values', { timeout }, async () => {
    for (const [one, name] of [
      ['response header', 'server'],
      ['response header', 'content-type'],
      ['cookie', 'Session_Kind'],
    ] as const) {
      await page.getByRole('textbox', { name: `Name of a ${one}` }).fill('')
      await add(one, name)
    }
    // With the keyboard; the row keeps the focus.
    const which = page.getByRole('combobox', { name: 'Source of server' })
    await which.press('Enter')
    const raw = page.getByRole('option', { name: 'As received from the origin (raw)' })
    await raw.waitFor()
    // A key press while the list opens has no effect.
    await eventually(async () => {
      await which.press('ArrowDown')
      await raw.and(page.locator('[data-combobox-selected]')).waitFor({ timeout: 1000 })
    })
    await which.press('Enter')
    await which.and(page.locator(':focus')).waitFor()
    const section = page.getByRole('region', { name: 'Response headers' })
    await section.getByRole('checkbox').first().check()
    const added = page.getByText(
      'Add response header server, “As received from the origin (raw)”, all values',
    )
    await added.waitFor()
    // Unsaved changes survive a visit to another page.
    await page.getByRole('main').getByRole('link', { name: 'Logpush job' }).click()
    await page.getByRole('heading', { name: 'Logpush', exact: true }).waitFor()
    await page.goBack()
    await added.waitFor()
    await page.getByRole('button', { name: /^. API call$/ }).click()
    await eventually(async () =>
      assert.match((await page.getByRole('region', { name: 'API call' }).textContent())!, /-X PUT/),
    )
    await screenshot(page, 'custom-fields-draft')
    assert.deepEqual(await axeViolations(page), [])
    await save()
    const [rule] = (await entryPoint()).rules
    assert.equal(rule.expression, 'true')
    assert.deepEqual(rule.action_parameters, {
      request_fields: [{ name: 'x-request-id' }],
      response_fields: [{ name: 'content-type' }],
      raw_response_fields: [{ name: 'server', preserve_duplicates: true }],
      cookie_fields: [{ name: 'Session_Kind' }],
    })

    // The edge applies them after a moment.
    for (let tries = 0; tries < 40; tries++) {
      await t.visit('/', { 'x-request-id': 'request-7', cookie: 'Session_Kind=guest; other=1' })
      await page.getByRole('button', { name: 'Refresh' }).click()
      if (await page.getByText('request-7').isVisible()) break
      await page.waitForTimeout(250)
    }
    await page.getByText('guest', { exact: true }).waitFor()
    await page.getByText('["test-origin"]').waitFor()
    await page.getByText('text/plain').waitFor()
    await page.reload()
    await page.getByText('4 of 40 custom fields').waitFor()
  })

  test('changes of another user are not overwritten', { timeout }, async () => {
    await page.getByRole('button', { name: 'Remove cookie Session_Kind' }).click()
    await page.getByText('Remove cookie Session_Kind, “As received”').waitFor()
    const { rules } = await entryPoint()
    const parameters = { ...rules[0].action_parameters, request_fields: [{ name: 'x-other' }] }
    const put = `/zones/${t.zoneId}/rulesets/phases/${phase}/entrypoint`
    await api(t.sluice, 'PUT', put, { rules: [{ ...rules[0], action_parameters: parameters }] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('Someone else changed it', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('x-other', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove cookie Session_Kind' }).click()
    await save()
    await eventually(async () =>
      assert.equal((await entryPoint()).rules[0].action_parameters.cookie_fields, undefined),
    )
  })

  test('forty fields of all kinds are the limit', { timeout }, async () => {
    const names = Array.from({ length: 40 }, (_, index) => ({ name: `x-header-${index}` }))
    const rule = {
      action: 'log_custom_field',
      expression: 'true',
      action_parameters: { request_fields: names.slice(0, 39), cookie_fields: [{ name: 'one' }] },
    }
    await api(t.sluice, 'PUT', `/zones/${t.zoneId}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] })
    await page.reload()
    await page.getByText('40 of 40 custom fields').waitFor()
    await add('cookie', 'two')
    await page.getByText('Limit reached: 40 custom fields', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Remove request header x-header-3', exact: true }).click()
    await page.getByText('Limit reached: 40', { exact: false }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Name of a cookie' }).press('Enter')
    await page.getByText('40 of 40 custom fields').waitFor()
    await save()
    await eventually(async () =>
      assert.deepEqual((await entryPoint()).rules[0].action_parameters.cookie_fields, [
        { name: 'one' },
        { name: 'two' },
      ]),
    )
  })

  test('the page fits in light, dark and narrow windows', { timeout: 60_000 }, async () => {
    const shown = await t.page({ path })
    await shown.getByText('40 of 40 custom fields').waitFor()
    await looksWell(shown, 'custom-fields')
    assert.deepEqual(t.faults, [])
  })
})
