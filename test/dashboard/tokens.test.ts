import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, flows, zoneName } from './support.ts'

const flow = flows()

/** @returns status and id of the token with this value */
async function verify({ sluice }: DashboardTest, value: string, base = '/user'): Promise<string> {
  const answer = await api({ ...sluice, token: value }, 'GET', `${base}/tokens/verify`)
  return answer.status === 200 ? answer.result.status : String(answer.status)
}

async function action(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function keptValue(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /^Save the value of/ })
  const value = (await dialog.getByRole('region', { name: 'value' }).textContent()) ?? ''
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'tokens-value')
  await dialog.getByRole('button', { name: 'Copy value' }).click()
  await eventually(async () => assert.equal(await page.evaluate('navigator.clipboard.readText()'), value))
  await dialog.getByRole('checkbox', { name: 'I have saved the value' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return value
}

async function make({ sluice, accountId, zoneId }: DashboardTest, name: string, groups: readonly string[]) {
  const made = await api(sluice, 'POST', '/user/tokens', {
    name,
    policies: [
      {
        effect: 'allow',
        permission_groups: groups.map(id => ({ id })),
        resources: {
          [`com.cloudflare.api.account.${accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' },
          [`com.cloudflare.api.account.zone.${zoneId}`]: '*',
          'com.cloudflare.api.user.*': '*',
        },
      },
    ],
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  return made.result
}

flow('a token is created for selected zones, shown once, rolled, disabled, enabled and deleted', async it => {
  const page = await it.page({ path: '/tokens' })
  await page.getByRole('link', { name: 'Create token' }).click()
  const submit = page.getByRole('button', { name: 'Create token' })
  await page.getByText('Enter a name.').waitFor()
  await eventually(async () => assert.ok(await submit.isDisabled()))
  await page.getByRole('textbox', { name: 'Name' }).fill('deploy')
  await page.getByRole('textbox', { name: 'Search permissions' }).fill('waf')
  await page.getByRole('radiogroup', { name: 'Zone WAF, zones' }).getByText('Write').click()
  await page.getByRole('radio', { name: 'Selected zones' }).check()
  await page.getByText('Select at least one zone.').waitFor()
  await page.getByRole('textbox', { name: 'Zones', exact: true }).fill('shop')
  await page.getByRole('option', { name: zoneName }).click()
  await page.getByRole('button', { name: 'In 30 days' }).click()
  const only = page.getByRole('combobox', { name: 'Allowed client IPs' })
  await only.fill('127.0.0.300')
  await only.press('Enter')
  await submit.click()
  await page
    .getByText(/it is not an IP address or CIDR block/)
    .first()
    .waitFor()
  await only.press('Backspace')
  await only.fill('127.0.0.0/8')
  await only.press('Enter')
  await submit.click()
  const value = await keptValue(page)
  await eventually(async () => assert.equal(await verify(it, value), 'active'))
  const own = { ...it.sluice, token: value }
  assert.deepEqual(
    (await api(own, 'GET', '/zones')).result.map((zone: { name: string }) => zone.name),
    [],
    'Zone WAF is not Zone Read',
  )
  assert.equal((await api(own, 'GET', `/zones/${it.zoneId}/rulesets`)).status, 200)

  await page.getByRole('grid', { name: 'API tokens' }).getByText('deploy', { exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'deploy' })
  await drawer.getByText('Zone WAF Write').waitFor()
  await drawer.getByRole('link', { name: zoneName }).waitFor()
  await drawer.getByText('127.0.0.0/8').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'tokens-drawer')
  await drawer.getByRole('button', { name: 'Close' }).click()

  await action(page, 'deploy', 'Disable…')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByText('deploy disabled').waitFor()
  // The focus returns to the button of the menu.
  await page.getByRole('button', { name: 'Actions of deploy' }).and(page.locator(':focus')).waitFor()
  await eventually(async () => assert.equal(await verify(it, value), 'disabled'))
  await action(page, 'deploy', 'Enable…')
  await page.getByRole('dialog').getByRole('button', { name: 'Enable', exact: true }).click()
  await page.getByText('deploy enabled').waitFor()
  await eventually(async () => assert.equal(await verify(it, value), 'active'))

  await action(page, 'deploy', 'Roll…')
  await page.getByRole('dialog').getByRole('button', { name: 'Roll token' }).click()
  const rolled = await keptValue(page)
  assert.notEqual(rolled, value)
  await eventually(async () =>
    assert.deepEqual([await verify(it, value), await verify(it, rolled)], ['401', 'active']),
  )

  await action(page, 'deploy', 'Delete…')
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete token' }).click()
  await page.getByText('deploy deleted').waitFor()
  await page.getByRole('button', { name: 'Actions of deploy' }).waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await verify(it, rolled), '401'))
})

flow('an account token is created with the keyboard alone', async it => {
  const page = await it.page({ path: '/tokens?of=account' })
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor()
  await page.getByRole('link', { name: 'Create token' }).first().press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('auditor')
  const level = page.getByRole('radiogroup', { name: 'Account Settings, account' })
  await level.getByRole('radio', { name: 'None' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Create token' }).press('Enter')
  const value = await keptValue(page)
  await eventually(async () => assert.equal(await verify(it, value, `/accounts/${it.accountId}`), 'active'))
  assert.equal(
    (await api({ ...it.sluice, token: value }, 'GET', `/accounts/${it.accountId}/audit_logs`)).status,
    200,
  )
  await page.getByRole('grid', { name: 'API tokens' }).getByText('Account Settings Read').waitFor()
})

const groups = {
  zoneRead: 'c8fed203ed3043cba015a93ad1616f1f',
  tokensRead: '0cc3a61731504c89b99ec1be78b77aa0',
  tokensWrite: '686d18d5ac6c441c867cbf6771e58a0a',
}

flow('controls without permission are disabled with the reason', async it => {
  const reader = await make(it, 'reader', [groups.zoneRead, groups.tokensRead])
  const page = await it.page({ path: '/tokens', token: reader.value })
  const create = page.getByRole('link', { name: 'Create token' })
  await page.getByRole('grid', { name: 'API tokens' }).getByText('your current token').waitFor()
  await eventually(async () => assert.equal(await create.getAttribute('aria-disabled'), 'true'))
  await create.focus()
  await page.getByText('Your token lacks “API Tokens Write” on its user.').waitFor()
  await page.getByRole('button', { name: 'Actions of reader' }).click()
  await page.getByText('This is your current token.').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'tokens-menu')
  await eventually(async () => assert.ok(await page.getByRole('menuitem', { name: 'Delete…' }).isDisabled()))
  await page.keyboard.press('Escape')
  await page.getByText('Account tokens', { exact: true }).click()
  await page.getByText('No permission to view account tokens').waitFor()
})

flow('a token cannot grant permissions that it lacks', async it => {
  const maker = await make(it, 'maker', [groups.zoneRead, groups.tokensWrite])
  const page = await it.page({ path: '/tokens/new', token: maker.value })
  await page.getByText('Your token lacks “Zone Write”, so it cannot grant it.').waitFor()
  const zone = page.getByRole('radiogroup', { name: 'Zone, zones' })
  await eventually(async () => assert.ok(await zone.getByRole('radio', { name: 'Write' }).isDisabled()))
  await zone.getByText('Read').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('child')
  await page.getByRole('button', { name: 'Create token' }).click()
  await eventually(async () => assert.equal(await verify(it, await keptValue(page)), 'active'))
})

flow('both pages are accessible in every look', async it => {
  const page = await it.page({ path: '/tokens' })
  await page.getByRole('grid', { name: 'API tokens' }).getByText('maker', { exact: true }).waitFor()
  await looksWell(page, 'tokens')
  await page.getByRole('link', { name: 'Create token' }).click()
  const zone = page.getByRole('radiogroup', { name: 'Zone WAF, zones' })
  await zone.getByText('Read').click()
  await page.getByRole('radio', { name: 'Selected zones' }).check()
  await page.getByRole('textbox', { name: 'Zones', exact: true }).click()
  await page.getByRole('option', { name: zoneName }).click()
  await page.keyboard.press('Escape')
  await looksWell(page, 'tokens-new')
})
