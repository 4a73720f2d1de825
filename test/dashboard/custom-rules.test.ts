import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell } from './looks.ts'
import {
  answersWith,
  choose,
  nameOfFocus,
  putRules,
  storedRules,
  tabTo,
  untilEqual,
} from './rules-support.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const phase = 'http_request_firewall_custom'

describe('custom rules', { skip }, () => {
  let dashboard: DashboardTest

  before(async () => {
    dashboard = (await openDashboard())!
    assert.ok(dashboard, 'no Chromium starts here')
  })
  after(() => dashboard?.close())

  const open = async (options: { path?: string; token?: string } = {}): Promise<Page> => {
    const { path = '', ...rest } = options
    const page = await dashboard.page({ path: `/zones/${dashboard.zoneId}/custom-rules${path}`, ...rest })
    page.setDefaultTimeout(30_000)
    return page
  }
  const names = async () => (await storedRules(dashboard, phase)).map(({ description }) => description)

  test('a rule created with the keyboard alone blocks matching requests', async () => {
    const page = await open()
    await page.getByRole('heading', { name: 'No custom rules yet' }).waitFor()
    await tabTo(page, 'Create rule')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create rule' }).waitFor()
    await page.getByLabel('Value, condition 1').waitFor()
    await eventually(async () => assert.equal(await nameOfFocus(page), 'Rule name'))
    await page.keyboard.type('No admin from outside')
    await tabTo(page, 'Operator, condition 1')
    await choose(page, 'starts with')
    await tabTo(page, 'Value, condition 1')
    await page.keyboard.type('/admin')
    await tabTo(page, 'And')
    await page.keyboard.press('Enter')
    // The new condition has the focus.
    await untilEqual(() => nameOfFocus(page), 'Field, condition 2')
    await page.keyboard.type('Header')
    await page.getByRole('option', { name: 'Header', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Name, condition 2')
    await page.keyboard.type('X-Office')
    await tabTo(page, 'Operator, condition 2')
    await choose(page, 'is not present')
    const expression =
      'starts_with(http.request.uri.path, "/admin") and not len(http.request.headers["x-office"]) gt 0'
    await page.getByText(expression).waitFor()
    await tabTo(page, 'Action')
    await choose(page, 'Block')
    await tabTo(page, 'Deploy')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').getByRole('link', { name: 'No admin from outside' }).waitFor()

    const [rule] = await storedRules(dashboard, phase)
    assert.deepEqual([rule?.action, rule?.enabled, rule?.expression], ['block', true, expression])
    await answersWith(dashboard, '/admin/users', 403)
    assert.equal((await dashboard.visit('/admin/users', { 'x-office': '1' })).status, 200)
    assert.equal((await dashboard.visit('/')).status, 200)

    // Hits are counted within seconds.
    const hits = page
      .getByRole('listitem')
      .filter({ hasText: 'No admin from outside' })
      .getByText(/^[1-9][0-9]* in 24 h$/)
    await eventually(async () => {
      await page.reload()
      await page.getByText('in 24 h').waitFor()
      assert.equal(await hits.count(), 1)
    })

    await tabTo(page, 'Enable No admin from outside')
    await page.keyboard.press('Space')
    await answersWith(dashboard, '/admin/users', 200)
  })

  test('rules are moved with the keyboard, and their positions announced', async () => {
    await putRules(dashboard, phase, ['a', 'b', 'c', 'd'].map(plainRule))
    const page = await open()
    await page.getByRole('link', { name: 'd', exact: true }).waitFor()
    await tabTo(page, 'Move b down')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: 'b moved to position 4 of 4' })
      .waitFor({ state: 'attached' })
    await untilEqual(names, ['a', 'c', 'd', 'b'])
    // The button keeps the focus, and has no effect at the end of the list.
    await eventually(async () => assert.equal(await nameOfFocus(page), 'Move b down'))
    await page.getByRole('button', { name: /^d: position 3 of 4/ }).click()
    // Typing replaces the current number.
    await untilEqual(() => nameOfFocus(page), 'Position')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await untilEqual(names, ['d', 'a', 'c', 'b'])
    await untilEqual(() => nameOfFocus(page), 'd: position 1 of 4. Move')
  })

  test('the last change can be copied as an API call', async () => {
    await putRules(dashboard, phase, ['a', 'b'].map(plainRule))
    const page = await open()
    const isCopied = (call: RegExp) =>
      eventually(async () => {
        await page.getByRole('button', { name: 'Copy API call' }).click()
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), call)
      })
    await page.getByRole('switch', { name: 'Enable a' }).click({ force: true })
    await page.getByRole('button', { name: /Last change as an API call/ }).click()
    await isCopied(/^curl -X PATCH .*If-Match: "[0-9]+".*"enabled": false/s)
    await page.getByRole('button', { name: 'Move b up' }).click()
    await isCopied(/^curl -X PATCH .*"position": \{\n *"before": "[0-9a-f]{32}"/s)
    await page.getByRole('button', { name: 'Duplicate b' }).click()
    await isCopied(/^curl 'http.*"description": "Copy of b"/s)
  })

  test('a search is edited in the middle, and a link clears it', async () => {
    await putRules(dashboard, phase, ['a rule', 'another rule', 'b'].map(plainRule))
    const page = await open({ path: '?search=a%20rule' })
    const field = page.getByLabel('Search rules')
    await page.getByText('1 of 3 rules').waitFor()
    await field.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('nother')
    await page.waitForURL(/search=another\+rule/)
    assert.equal(await field.inputValue(), 'another rule')
    await page.getByRole('navigation').getByRole('link', { name: 'Custom rules' }).click()
    await page.getByText('3 rules', { exact: true }).waitFor()
    await eventually(async () => assert.equal(await field.inputValue(), ''))
  })

  test('rules are dragged', async () => {
    await putRules(dashboard, phase, ['a', 'b', 'c', 'd'].map(plainRule))
    const page = await open()
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move . up/ }) })
    await rows.nth(3).waitFor()
    const grip = (await rows.nth(0).locator('[aria-hidden=true]').first().boundingBox())!
    await page.mouse.move(grip.x + 8, grip.y + grip.height / 2)
    await page.mouse.down()
    await page.mouse.move(grip.x + 8, grip.y + grip.height * 1.9, { steps: 5 })
    await page.mouse.move(grip.x + 8, grip.y + grip.height * 2.5, { steps: 5 })
    await page.mouse.up()
    await untilEqual(names, ['b', 'c', 'a', 'd'])
  })

  test('a copy is disabled, and a deletion needs confirmation', async () => {
    await putRules(dashboard, phase, ['a', 'b'].map(plainRule))
    const page = await open()
    await page.getByRole('button', { name: 'Duplicate a' }).click()
    await untilEqual(names, ['a', 'Copy of a', 'b'])
    await eventually(async () => assert.equal((await storedRules(dashboard, phase))[1]?.enabled, false))
    await page.getByRole('button', { name: 'Delete Copy of a' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete custom rule?' })
    await dialog.getByRole('button', { name: /^. API call$/ }).click()
    await dialog.getByText(/curl -X DELETE/).waitFor()
    await dialog.getByText(/If-Match: "[0-9]+"/).waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await untilEqual(names, ['a', 'b'])
    // The pressed button is gone: Tab continues in the page, not in the navigation.
    await page.getByRole('main').and(page.locator(':focus')).waitFor()
  })

  test('the editor underlines faults and completes, and the builder shows the same text', async () => {
    const page = await open({ path: '?new=1' })
    await page.getByRole('button', { name: 'Edit expression' }).click()
    const editor = page.getByRole('textbox', { name: 'Expression' })
    await editor.click()
    await page.keyboard.type('htp.host eq "a"')
    await page.getByText('“htp.host”: unknown identifier (did you mean http.host?)').waitFor()
    await eventually(async () =>
      assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'htp.host'),
    )
    await eventually(async () => assert.equal(await editor.getAttribute('aria-invalid'), 'true'))
    assert.deepEqual(await axeViolations(page), [])

    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('http.req')
    await page.getByRole('option', { name: /http\.request\.method/ }).waitFor()
    await page.keyboard.type('uest.meth')
    await page.getByRole('option').first().waitFor()
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type(' eq "PUT" and ssl')
    await page.getByRole('button', { name: 'Use expression builder' }).click()
    await eventually(async () =>
      assert.equal(
        await page.getByRole('combobox', { name: 'Field, condition 1' }).inputValue(),
        'Request Method',
      ),
    )
    await eventually(async () =>
      assert.equal(await page.getByRole('combobox', { name: 'Value, condition 1' }).inputValue(), 'PUT'),
    )
    await eventually(async () =>
      assert.equal(
        await page.getByRole('combobox', { name: 'Field, condition 2' }).inputValue(),
        'SSL/HTTPS',
      ),
    )

    // Tab leaves the editor, like any field.
    await page.getByRole('button', { name: 'Edit expression' }).click()
    await editor.focus()
    await page.keyboard.press('Tab')
    await eventually(async () => assert.notEqual(await nameOfFocus(page), 'Expression'))
  })

  test('a fault that only the API knows is underlined at its location', async () => {
    const page = await dashboard.page({
      path: `/zones/${dashboard.zoneId}/custom-rules?new=1`,
      // Without access to lists, the page only checks the spelling of their names.
      prepare: tab => tab.route('**/rules/lists', route => route.fulfill({ status: 403, json: refusal })),
    })
    await page.getByRole('button', { name: 'Edit expression' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).click()
    await page.keyboard.type('ssl and ip.src in $nosuch')
    await page.keyboard.press('Escape')
    await eventually(async () => assert.equal(await page.locator('.cm-lintRange-error').count(), 0))
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.locator('.cm-lintRange-error').waitFor()
    await eventually(async () =>
      assert.equal(await page.locator('.cm-lintRange-error').textContent(), '$nosuch'),
    )
    await page.getByText(/“\$nosuch”: unknown list/).waitFor()
  })

  test('changes of another user are not overwritten unseen', async () => {
    await putRules(dashboard, phase, ['mine', 'theirs'].map(plainRule))
    const page = await open()
    await page.getByRole('link', { name: 'mine' }).click()
    await page.getByLabel('Rule name').fill('mine, better')
    const before = (await storedRules(dashboard, phase))[1]!
    const { result } = await api(
      dashboard.sluice,
      'GET',
      `/zones/${dashboard.zoneId}/rulesets/phases/${phase}/entrypoint`,
    )
    const path = `/zones/${dashboard.zoneId}/rulesets/${result.id}/rules/${before.id}`
    const { action, expression } = before
    await api(dashboard.sluice, 'PATCH', path, { action, expression, description: 'theirs, better' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Rules changed by someone else').waitFor()
    await page.getByText(/since then: /).waitFor()
    await eventually(async () => assert.deepEqual(await names(), ['mine', 'theirs, better']))
    await page.getByRole('button', { name: 'Continue with the newest version' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await untilEqual(names, ['mine, better', 'theirs, better'])
  })

  test('a block has a custom response, a skip names its components', async () => {
    await putRules(dashboard, phase, [])
    const page = await open({ path: '?new=1' })
    await page.getByLabel('Rule name').fill('Teapot')
    await page.getByLabel('Value, condition 1').fill('/tea')
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Block' }).click()
    await page.getByRole('combobox', { name: 'With response type' }).click()
    await page.getByRole('option', { name: 'Custom JSON' }).click()
    await page.getByLabel('Response code').fill('418')
    await page.getByLabel('Response body').fill('{"short": "stout"}')
    await page.getByRole('button', { name: 'Deploy' }).click()
    const answer = await answersWith(dashboard, '/tea', 418)
    assert.equal(await answer.text(), '{"short": "stout"}')

    await page.getByRole('link', { name: 'Create rule' }).first().click()
    await page.getByLabel('Rule name').fill('Not for the office')
    await page.getByLabel('Value, condition 1').fill('/tea')
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Skip' }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText('Select at least one component to skip.').waitFor()
    await page.getByRole('checkbox', { name: 'All remaining custom rules' }).check()
    await page.getByRole('checkbox', { name: 'All managed rules' }).check()
    await page.getByRole('combobox', { name: 'Place at' }).click()
    await page.getByRole('option', { name: 'First', exact: true }).click()
    await page.getByRole('button', { name: 'In 7 days' }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText(/^ends /).waitFor()
    await answersWith(dashboard, '/tea', 200)
    const [rule] = await storedRules(dashboard, phase)
    assert.deepEqual(rule?.action_parameters, {
      ruleset: 'current',
      phases: ['http_request_firewall_managed'],
    })
    assert.match(
      rule!.expression,
      /^\(http\.request\.uri\.path eq "\/tea"\) and http\.request\.timestamp\.sec lt [0-9]{10}$/,
    )
  })

  test('a thousand rules stay smooth', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => plainRule(`rule ${n + 1}`))
    await putRules(dashboard, phase, many)
    const page = await open()
    await page.getByRole('link', { name: 'rule 1', exact: true }).waitFor()
    await eventually(async () =>
      assert.ok((await page.getByRole('listitem').count()) < 60, 'invisible rows are not rendered'),
    )
    await page.getByLabel('Search rules').fill('rule 999')
    await page.getByText('1 of 1,000 rules').waitFor()
    await page.getByLabel('Search rules').fill('')
    await page.getByText('1,000 rules', { exact: true }).waitFor()
    await page.getByRole('list', { name: /in order/ }).evaluate(list => {
      list.parentElement!.scrollTop = list.scrollHeight
    })
    await page.getByRole('button', { name: /^rule 1000: position 1000 of 1000/ }).click()
    await page.getByRole('textbox', { name: 'Position', exact: true }).fill('2')
    await page.keyboard.press('Enter')
    await untilEqual(async () => (await names()).slice(0, 3), ['rule 1', 'rule 1000', 'rule 2'])
  })

  test('a read-only token sees the rules and the missing permission', async () => {
    await putRules(dashboard, phase, ['a', 'b'].map(plainRule))
    const token = await readOnlyToken(dashboard)
    const page = await open({ token })
    await page.getByRole('link', { name: 'a', exact: true }).waitFor()
    await page.getByText('Your token lacks “Zone WAF Write” on this zone.').first().waitFor()
    await page.getByText('Hits are hidden: your token lacks “Logs Read” on this zone.').waitFor()
    await eventually(async () =>
      assert.equal(await page.getByRole('switch', { name: 'Enable a' }).isDisabled(), true),
    )
    await eventually(async () =>
      assert.equal(
        await page.getByRole('button', { name: 'Delete a' }).getAttribute('aria-disabled'),
        'true',
      ),
    )
    await eventually(async () =>
      assert.equal(
        await page.getByRole('link', { name: 'Create rule' }).first().getAttribute('aria-disabled'),
        'true',
      ),
    )
  })

  test('the pages are accessible in every look', async () => {
    await putRules(dashboard, phase, shownRules)
    const page = await open()
    await page.getByRole('link', { name: 'Partner scan' }).waitFor()
    await page.getByText('in 24 h').first().waitFor()
    await looksWell(page, 'custom-rules')
    await page.getByRole('link', { name: 'Challenge logins from far away' }).click()
    await page.getByText('Expression preview').waitFor()
    await looksWell(page, 'custom-rule-form')
    await page.getByRole('button', { name: 'Edit expression' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).waitFor()
    await looksWell(page, 'custom-rule-editor')
    assert.deepEqual(dashboard.faults, [])
  })
})

const refusal = {
  result: null,
  success: false,
  errors: [{ code: 10000, message: 'Authentication error' }],
  messages: [],
}

function plainRule(description: string) {
  return { action: 'log', expression: 'http.request.uri.path eq "/nothing"', description }
}

const shownRules = [
  {
    action: 'block',
    expression: 'http.request.uri.path eq "/admin" and not ip.src in {10.0.0.0/8}',
    description: 'Admin only from the office',
  },
  {
    action: 'managed_challenge',
    expression:
      '(ip.src.country in {"AQ" "BV"} and starts_with(http.request.uri.path, "/login")) or http.user_agent contains "curl"',
    description: 'Challenge logins from far away',
  },
  {
    action: 'skip',
    expression: '(http.host eq "shop.test") and http.request.timestamp.sec lt 4000000000',
    description: 'Partner scan',
    action_parameters: { ruleset: 'current', phases: ['http_ratelimit'] },
  },
  { action: 'log', expression: 'any(lower(http.request.headers.names[*])[*] eq "x-debug")', enabled: false },
]

/** A token with read access to the zone's firewall, without write access. */
async function readOnlyToken({ sluice, accountId, zoneId }: DashboardTest): Promise<string> {
  const { result: groups } = await api(sluice, 'GET', `/accounts/${accountId}/tokens/permission_groups`)
  const named = groups.filter(
    ({ name }: { name: string }) => name === 'Zone WAF Read' || name === 'Zone Read',
  )
  const answer = await api(sluice, 'POST', '/user/tokens', {
    name: 'reader',
    policies: [
      {
        effect: 'allow',
        permission_groups: named.map(({ id }: { id: string }) => ({ id })),
        resources: { [`com.cloudflare.api.account.zone.${zoneId}`]: '*' },
      },
    ],
  })
  assert.deepEqual(answer.errors, [])
  return answer.result.value
}
