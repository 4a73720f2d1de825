import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { answersWith } from './rules-support.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const verdict = '6179ae15870a4bb7b2d480d4843b323c'
const phase = 'http_request_firewall_managed'
const attack = `/search?q=${encodeURIComponent(`1' or '1'='1' union select password from users--`)}&x=${encodeURIComponent('<script>alert(1)</script>')}&f=${encodeURIComponent('../../../../etc/passwd')}`

let dashboard: DashboardTest | undefined
before(async () => {
  if (!skip) dashboard = await openDashboard()
})
after(() => dashboard?.close())

const test_ = (name: string, body: (dashboard: DashboardTest) => Promise<void>) =>
  test(name, { skip }, async t => {
    if (dashboard === undefined) return t.skip('no Chromium starts here')
    await body(dashboard)
  })

const path = (zoneId: string, query = '') => `/zones/${zoneId}/what-if${query}`
const cells = (page: Page) => page.getByRole('table', { name: /Sampled requests/ })

test_('without the ruleset, the page explains how to get samples', async it => {
  const page = await it.page({ path: path(it.zoneId) })
  await page.getByRole('heading', { name: 'Managed ruleset not deployed' }).waitFor()
  await page.getByRole('link', { name: 'Set up ruleset' }).waitFor()
})

/** PL1 with a threshold that no request reaches. */
async function deploy({ sluice, zoneId }: DashboardTest): Promise<void> {
  const answer = await api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'true',
        action_parameters: {
          id: owasp,
          version: 'latest',
          overrides: {
            categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
            rules: [{ id: verdict, score_threshold: 500 }],
          },
        },
      },
    ],
  })
  assert.equal(answer.status, 200)
}

test_('the sample rate is set in the page', async it => {
  await deploy(it)
  const page = await it.page({ path: path(it.zoneId) })
  await page.getByRole('heading', { name: 'No samples in this period' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'what-if-empty')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Sampling: 1 %' }).waitFor()
  await main.getByRole('button', { name: 'Change sample rate…' }).click()
  const field = page.getByRole('textbox', { name: 'Share of requests' })
  await field.fill('')
  await eventually(async () =>
    assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()),
  )
  await field.fill('100')
  await page.getByRole('button', { name: /^. API call$/ }).click()
  await page.getByText('"sample_rate": 1').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'what-if-sampling')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Sample rate set to 100 %').waitFor()
  const { result } = await api(it.sluice, 'GET', `/zones/${it.zoneId}/security/what_if/sampling`)
  assert.deepEqual(result, { sample_rate: 1 })
})

async function matrix({ sluice, zoneId }: DashboardTest) {
  const { result } = await api(sluice, 'GET', `/zones/${zoneId}/security/what_if?thresholds=500,60,25,5`)
  return result
}

/** Sends traffic until samples exist: the edge applies the rate after a moment. */
async function untilSampled(it: DashboardTest): Promise<void> {
  await eventually(async () => {
    await it.visit('/warm-up')
    assert.ok((await matrix(it)).samples > 0, 'nothing is sampled')
  })
}

let rayId = ''

test_('real traffic fills the matrix; the keyboard selects a cell, which shows its requests', async it => {
  await untilSampled(it)
  for (let n = 0; n < 4; n++) assert.equal((await it.visit(`/plain?n=${n}`)).status, 200)
  for (let n = 0; n < 3; n++) {
    const answer = await it.visit(attack)
    assert.equal(answer.status, 200)
    rayId = answer.headers.get('ray-id') ?? answer.headers.get('cf-ray') ?? ''
  }
  const after = await eventually(async () => {
    const now = await matrix(it)
    const at = (level: number, threshold: number) =>
      now.levels[level - 1].cells.find((cell: { threshold: number }) => cell.threshold === threshold).acted_on
    assert.deepEqual([at(1, 500), at(1, 25), at(2, 25), at(4, 60)], [0, 3, 3, 3])
    return now
  })
  assert.equal(after.cost.evaluated, after.samples)
  assert.ok(after.cost.cpu_ms_per_sample > 0)

  const page = await it.page({ path: path(it.zoneId) })
  await cells(page).waitFor()
  await page.getByRole('button', { name: /^PL1 at 500: ?0 samples, 0 % ?now$/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'PL2 at High (25)' })
  await panel.waitFor()
  assert.equal(new URL(page.url()).searchParams.get('cell'), '2-25')
  await panel.getByRole('list', { name: 'Paths' }).getByText('/search').waitFor()
  await panel.getByRole('list', { name: 'Clients' }).getByText('127.0.0.1').waitFor()
  await panel
    .getByRole('list', { name: 'Scoring rules' })
    .getByText(/^942100/)
    .waitFor()
  const example = panel.locator('details').first()
  await example.locator('summary').click()
  await example.getByText(rayId, { exact: true }).waitFor()
  const rule = example.getByRole('row').filter({ hasText: '942100' })
  await eventually(async () => assert.match((await rule.textContent()) ?? '', /PL1/))
  const link = rule.getByRole('link', { name: 'Create' })
  await eventually(async () =>
    assert.match((await link.getAttribute('href')) ?? '', /exceptions\?new=1.*%2Fsearch/),
  )
  assert.deepEqual(await axeViolations(page), [])

  await page.getByLabel('Custom threshold').fill('15')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: /^PL1 at 15: ?3 samples/ }).waitFor()
  await page.getByRole('button', { name: 'Remove column 15' }).click()
  await page.getByRole('button', { name: /^PL1 at 15:/ }).waitFor({ state: 'detached' })
})

test_('the page is accessible and fits in every look', async it => {
  const page = await it.page({ path: path(it.zoneId, '?cell=2-25&range=1h') })
  const panel = page.getByRole('region', { name: 'PL2 at High (25)' })
  await panel.locator('details').first().locator('summary').click()
  await looksWell(page, 'what-if')
})

test_('a read-only token changes nothing and sees the reason', async it => {
  const groups = (await api(it.sluice, 'GET', '/user/tokens/permission_groups')).result
  const named = (name: string) => groups.find((group: { name: string }) => group.name === name)
  const wanted = ['Zone Read', 'Zone WAF Read', 'Logs Read']
  const made = await api(it.sluice, 'POST', '/user/tokens', {
    name: 'looks',
    policies: [
      {
        effect: 'allow',
        permission_groups: wanted
          .map(named)
          .filter(Boolean)
          .map(({ id }: { id: string }) => ({ id })),
        resources: {
          [`com.cloudflare.api.account.${it.accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' },
        },
      },
    ],
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  const page = await it.page({ path: path(it.zoneId, '?cell=2-25'), token: made.result.value })
  for (const name of ['Deploy this…', 'Sampling: 100 %']) {
    const button = page.getByRole('button', { name, disabled: true })
    await button.focus()
    await page.getByRole('tooltip', { name: /Zone WAF Write/ }).waitFor()
  }
})

test_('a cell is deployed with its difference and API call, and takes effect', async it => {
  const page = await it.page({ path: path(it.zoneId, '?cell=2-25') })
  await page.getByRole('button', { name: 'Deploy this…' }).click()
  const draft = page.getByRole('region', { name: 'Draft' })
  await eventually(async () =>
    assert.deepEqual((await draft.getByRole('listitem').allTextContents()).slice(0, 2), [
      'Paranoia level: PL1 → PL2.',
      'Threshold: 500 → High (25). Fewer matching rules reach it.',
    ]),
  )
  await draft.getByRole('button', { name: /^. API call$/ }).click()
  await draft.getByText('"paranoia-level-3"').waitFor()
  await screenshot(page, 'what-if-draft')
  await draft.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText(/^Ruleset deployed \(version/).waitFor()
  await page.getByText('Currently deployed.').waitFor()
  const { result } = await api(it.sluice, 'GET', `/zones/${it.zoneId}/rulesets/phases/${phase}/entrypoint`)
  assert.deepEqual(result.rules[0].action_parameters.overrides, {
    categories: [3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
    rules: [{ id: verdict, score_threshold: 25 }],
  })
  await answersWith(it, attack, 403)
})

test_('the preview of an exception replays real events', async it => {
  const preview = (body: object) =>
    api(it.sluice, 'POST', `/zones/${it.zoneId}/security/exceptions/preview`, body)
  const whole = { expression: 'http.request.uri.path eq "/search"', action_parameters: { rulesets: [owasp] } }
  const answer = await eventually(async () => {
    const now = await preview(whole)
    assert.ok(now.result.let_through > 0)
    return now
  })
  const [example] = answer.result.examples
  assert.deepEqual([example.outcome, example.path, example.action], ['let_through', '/search', 'block'])
  const one = await preview({ ...whole, action_parameters: { rules: { [owasp]: [example.rules[0].id] } } })
  const [first] = one.result.examples
  assert.equal(first.remaining_score, first.score - first.rules[0].score)
  const elsewhere = await preview({ ...whole, expression: 'http.request.uri.path eq "/other"' })
  assert.equal(elsewhere.result.matched, 0)
  const unknown = await preview({ ...whole, expression: 'http.request.body.raw contains "x"' })
  assert.deepEqual(
    unknown.result.unknown_fields.map(({ name }: { name: string }) => name),
    ['http.request.body.raw'],
  )
})

test_('no page logged an error', async it => assert.deepEqual(it.faults, []))
