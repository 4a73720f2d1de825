import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const phase = 'http_request_firewall_managed'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'

let dashboard: DashboardTest | undefined
before(async () => {
  if (skip) return
  dashboard = await openDashboard()
  if (dashboard === undefined) return
  const { sluice, zoneId } = dashboard
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owasp } }
  const made = await api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, {
    rules: [rule],
  })
  assert.equal(made.status, 200)
})
after(() => dashboard?.close())

const test_ = (name: string, body: (dashboard: DashboardTest) => Promise<void>) =>
  test(name, { skip }, async t => {
    if (dashboard === undefined) return t.skip('no Chromium starts here')
    await body(dashboard)
  })

async function overrides({ sluice, zoneId }: DashboardTest) {
  const { result } = await api(sluice, 'GET', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`)
  return result.rules[0].action_parameters.overrides
}

async function ruleIds(
  { sluice, zoneId }: DashboardTest,
  isOne: (number: number, tags: string[]) => boolean,
) {
  const { result } = await api(sluice, 'GET', `/zones/${zoneId}/rulesets/${owasp}`)
  const rules = result.rules as { id: string; description: string; categories?: string[] }[]
  return rules
    .filter(rule => isOne(Number.parseInt(rule.description, 10), rule.categories ?? []))
    .map(({ id }) => id)
}

const open = (it: DashboardTest, query = '') => it.page({ path: `/zones/${it.zoneId}/owasp-rules${query}` })

/** Waits for the page's count of shown and existing rules. */
async function counted(page: Page, text: RegExp): Promise<void> {
  await page
    .getByRole('region', { name: 'Rules', exact: true })
    .getByRole('status')
    .filter({ hasText: text })
    .waitFor()
}

async function deploy(page: Page): Promise<void> {
  await page.getByText('Validated by the API').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByRole('region', { name: 'Draft' }).waitFor({ state: 'detached' })
}

test_('rules are found by number, text, tag and level, and the address keeps the search', async it => {
  const page = await open(it)
  await counted(page, /^\d{3} rules/)
  await page.getByRole('textbox', { name: 'Search' }).fill('942100')
  await counted(page, /^1 of \d+ rules/)
  await page.getByRole('row', { name: /942100/ }).waitFor()
  await page.getByRole('textbox', { name: 'Search' }).fill('')
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('attack-xss')
  await page.getByRole('combobox', { name: 'Level' }).selectOption('PL2')
  await page.waitForURL(/tag=attack-xss/)
  const xss = await ruleIds(it, (_, tags) => tags.includes('attack-xss') && tags.includes('paranoia-level-2'))
  await counted(page, new RegExp(`^${xss.length} of`))
  await page.reload()
  await counted(page, new RegExp(`^${xss.length} of`))
  await page.getByRole('textbox', { name: 'Search' }).fill('942')
  await page.waitForURL(/q=942/)
  // A link to all rules also clears the field.
  await page.getByRole('navigation').getByRole('link', { name: 'Browse rules' }).click()
  await counted(page, /^\d{3} rules/)
  await eventually(async () =>
    assert.equal(await page.getByRole('textbox', { name: 'Search' }).inputValue(), ''),
  )
})

test_('one rule and several are disabled, and enabled again without a trace', async it => {
  const page = await open(it, '?q=9421')
  const numbers = [942100, 942101, 942120]
  await page.getByRole('switch', { name: 'Rule 942100' }).click({ force: true })
  await page.getByRole('checkbox', { name: 'Select rule 942101' }).check()
  await page.getByRole('checkbox', { name: 'Select rule 942120' }).check()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByText(/^Rule 942101 \(.*\): disabled\.$/).waitFor()
  await deploy(page)
  const ids = await ruleIds(it, number => numbers.includes(number))
  const sorted = (rules: readonly { id: string }[]) => rules.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await eventually(async () =>
    assert.deepEqual(sorted((await overrides(it)).rules), sorted(ids.map(id => ({ id, enabled: false })))),
  )

  await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled')
  await counted(page, /^3 of/)
  await page.getByRole('button', { name: 'Select all 3' }).click()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await deploy(page)
  await eventually(async () => assert.equal(await overrides(it), undefined))
})

test_('the focus stays in place when a dialog or the draft closes', async it => {
  const page = await open(it)
  const button = page.getByRole('button', { name: 'Override a tag…' })
  await button.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Add to draft' }).press('Enter')
  await button.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.getByRole('main').and(page.locator(':focus')).waitFor()
})

test_('a tag is disabled with or without rules of later releases', async it => {
  const page = await open(it)
  const addTag = async (answer: RegExp) => {
    await page.getByRole('button', { name: 'Override a tag…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Tag' }).selectOption('language-php')
    await dialog.getByRole('radio', { name: answer }).check()
    await dialog.getByRole('button', { name: 'Add to draft' }).click()
    await deploy(page)
  }
  await addTag(/^All current and future rules/)
  await eventually(async () =>
    assert.deepEqual(await overrides(it), { categories: [{ category: 'language-php', enabled: false }] }),
  )
  await page.getByRole('button', { name: 'Enable tag language-php' }).click()
  await deploy(page)
  await eventually(async () => assert.equal(await overrides(it), undefined))

  await addTag(/^Only the/)
  const ids = await ruleIds(it, (_, tags) => tags.includes('language-php'))
  const { rules, categories } = await overrides(it)
  assert.equal(categories, undefined)
  assert.deepEqual(rules.map((rule: { id: string }) => rule.id).sort(), ids.sort())
})

test_('a rule is opened by keyboard: its text, its page upstream, and its hits', async it => {
  const attack = `/?q=${encodeURIComponent("1' or '1'='1")}`
  for (let sent = 0; sent < 3; sent++) await it.visit(attack)
  const page = await open(it, '?q=942100')
  const table = page.getByRole('grid', { name: 'Managed rules' })
  await table.getByRole('row', { name: /942100/ }).waitFor()
  await table.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('SecRule').waitFor()
  await eventually(async () => assert.match((await drawer.locator('pre').textContent()) ?? '', /id:942100/))
  const link = drawer.getByRole('link', { name: /on GitHub/ })
  await eventually(async () =>
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /^https:\/\/github\.com\/coreruleset\/coreruleset\/blob\/v4\.28\.0\/rules\/REQUEST-942.*\.conf#L\d+$/,
    ),
  )
  await hitsArrive(it, page)
  assert.deepEqual(await axeViolations(page), [])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

/** Roll-ups follow a little after the response. */
async function hitsArrive({ sluice, zoneId }: DashboardTest, page: Page): Promise<void> {
  await eventually(async () => {
    const { result } = await api(sluice, 'GET', `/zones/${zoneId}/security/rules`)
    const rules: readonly { readonly ref: string; readonly day: { readonly hits: number } }[] = result.rules
    assert.equal(rules.find(({ ref }) => ref === '942100')?.day.hits, 3)
  })
  await page.reload()
  await page
    .getByRole('dialog')
    .getByText('Hits in 24 hours')
    .locator('..')
    .getByText('3', { exact: true })
    .waitFor()
}

test_('the list renders visible rows only, and is accessible in every look', async it => {
  const page = await open(it)
  await counted(page, /^\d{3} rules/)
  await page.getByRole('switch', { name: 'Rule 913100' }).click({ force: true })
  await page.getByText('Validated by the API').waitFor()
  const fewRows = () => eventually(async () => assert.ok((await page.getByRole('row').count()) < 60))
  await fewRows()
  await looksWell(page, 'rules')
  await fewRows()
  await page
    .getByText('942100', { exact: true })
    .or(page.getByText('913100', { exact: true }))
    .first()
    .click()
  await page.getByRole('dialog').locator('pre').waitFor()
  await screenshot(page, 'rule')
  assert.deepEqual(it.faults, [])
})
