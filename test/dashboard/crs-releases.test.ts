import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api, runSluice, testCrs } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, flows } from './support.ts'

/** Its own installation: releases are for all zones. */
const flow = flows({})
const attack = `/?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd`)}`
const managed = 'http_request_firewall_managed'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'

/** The test release with one rule removed, one added and one with a lower severity, imported as 4.29.0. */
async function importNext(it: DashboardTest): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-next-crs-'))
  try {
    await cp(testCrs, folder, { recursive: true })
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(folder, 'rules', name)
      await writeFile(path, change(await readFile(path, 'utf8')))
    }
    // Elements that name the version.
    await edit('REQUEST-901-INITIALIZATION.conf', text =>
      text.replaceAll('OWASP_CRS/4.28.0', 'OWASP_CRS/4.29.0'),
    )
    const more = `\nSecRule ARGS "@contains next" "id:913999,phase:2,block,msg:'Next',tag:'paranoia-level/1',severity:'NOTICE'"\n`
    await edit(
      'REQUEST-913-SCANNER-DETECTION.conf',
      text => text.replace("severity:'CRITICAL'", "severity:'WARNING'") + more,
    )
    await rm(join(folder, 'rules', 'REQUEST-922-MULTIPART-ATTACK.conf'))
    const { code, stdout, stderr } = await runSluice(['crs', 'import', folder], {
      SLUICE_DATA: it.sluice.data,
    })
    assert.equal(code, 0, stdout + stderr)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Tests do not ask upstream. */
function withUpstream(version: string | null): (page: Page) => Promise<void> {
  const body = { success: true, errors: [], messages: [], result: upstreamAnswer(version) }
  return page => page.route('**/waf/crs_releases/upstream', route => route.fulfill({ json: body }))
}

const upstreamUrl = 'https://upstream.test/repos/coreruleset/coreruleset/releases?per_page=30'

function upstreamAnswer(version: string | null) {
  const error = version === null ? `${upstreamUrl} cannot be fetched: no route` : null
  return { crs_version: version, checked_on: new Date().toISOString(), error }
}

const releases = async ({ sluice, accountId }: DashboardTest) =>
  (await api(sluice, 'GET', `/accounts/${accountId}/waf/crs_releases`)).result

flow('with one release, the page shows it and how to import another', async it => {
  const page = await it.page({ prepare: withUpstream('4.99.0') })
  await page.getByText('4.99.0 is available.').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('rowheader', { name: /CRS 4\.28\.0.*active/ }).waitFor()
  await page.getByText('CRS 4.99.0 is available').waitFor()
  await page.getByText('npx sluice crs import PATH').waitFor()
  // The API's answer when the CRS project is unreachable.
  await page.route('**/waf/crs_releases', route =>
    route.request().method() !== 'POST'
      ? route.continue()
      : route.fulfill({
          status: 503,
          json: {
            success: false,
            result: null,
            messages: [],
            errors: [{ code: 10322, message: 'no CRS release could be fetched: no route' }],
          },
        }),
  )
  await page.getByRole('button', { name: 'Import CRS 4.99.0' }).click()
  await page.getByRole('alert').getByText('No CRS release could be fetched: no route (code 10322)').waitFor()
  await page.getByRole('alert').getByText('Wait a moment and try again.').waitFor()
  await page.getByRole('alert').getByText('the server reaches api.github.com', { exact: false }).waitFor()
  await page.getByRole('alert').getByText('import it with the command below', { exact: false }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'crs-import-failed')
})

flow('the newest release is imported; a second import reports that it exists', async it => {
  const [here] = await releases(it)
  const next = { ...here, version: '2', crs_version: '4.99.0', active: false }
  let isImported = false
  const page = await it.page({
    path: '/crs-releases',
    async prepare(tab) {
      await withUpstream('4.99.0')(tab)
      await tab.route('**/waf/crs_releases', route => {
        const isImport = route.request().method() === 'POST'
        const result = isImport ? next : isImported ? [here, next] : [here]
        if (isImport) isImported = true
        return route.fulfill({ json: { success: true, errors: [], messages: [], result } })
      })
    },
  })
  await page.getByRole('button', { name: 'Import CRS 4.99.0' }).press('Enter')
  await page.getByText('CRS 4.99.0 imported').waitFor()
  await page.getByRole('rowheader', { name: 'CRS 4.99.0' }).waitFor()
  await page.getByText('CRS 4.99.0, the newest release, is imported').waitFor()
  await page.getByRole('button', { name: 'Import newest release' }).press('Enter')
  await page.getByText('CRS 4.99.0 is the newest release and already imported').waitFor()
  await page.getByRole('link', { name: 'Compare', exact: true }).waitFor()
})

flow('two releases are compared rule by rule', async it => {
  await importNext(it)
  const page = await it.page({ path: '/crs-releases/compare?from=1&to=2' })
  const rules = page.getByRole('grid', { name: 'Changed rules' })
  await rules.getByText('913999').waitFor()
  await eventually(async () =>
    assert.match(
      (await rules.getByRole('row', { name: /913999/ }).textContent()) ?? '',
      /Added.*Next.*PL1, notice/,
    ),
  )
  await rules.getByRole('row', { name: /913100/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Rule 913100' })
  const severity = drawer.getByRole('region', { name: 'Difference: severity' })
  await severity.waitFor()
  await eventually(async () => assert.match((await severity.textContent()) ?? '', /CRITICAL.*WARNING/))
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'crs-rule')
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('radiogroup', { name: 'Kind of change' })
    .getByText(/^Removed/)
    .click()
  await rules.getByText('922100').waitFor()
  await rules.getByRole('row', { name: /922100/ }).click()
  await page.getByRole('dialog', { name: 'Rule 922100' }).getByText('Rule text in CRS 4.28.0').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Search rules' }).fill('nothing has this')
  await page.getByRole('heading', { name: 'No matching rules' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No matching rules' }).waitFor()
})

flow('a release is activated, and the previous one again', async it => {
  const page = await it.page({ path: '/crs-releases', prepare: withUpstream(null) })
  await page
    .getByText(`Failed to check for the newest release: ${upstreamUrl} cannot be fetched: no route.`)
    .waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await eventually(async () =>
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')),
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('rowheader', { name: /CRS 4\.29\.0.*active/ }).waitFor()
  await page.getByRole('button', { name: 'Activate…' }).click()
  await page
    .getByRole('dialog', { name: 'Activate CRS 4.28.0?' })
    .getByRole('button', { name: 'Activate' })
    .click()
  await page.getByText('CRS 4.28.0 activated').waitFor()
  await page.getByRole('rowheader', { name: /CRS 4\.28\.0.*active/ }).waitFor()
  assert.deepEqual(
    (await releases(it)).map((release: { active: boolean }) => release.active),
    [true, false],
  )
  const [entry] = (
    await api(it.sluice, 'GET', `/accounts/${it.accountId}/audit_logs?resource.type=crs_release`)
  ).result
  assert.deepEqual([entry.action.type, entry.newValueJson.crs_version], ['update', '4.28.0'])
})

flow('a read-only token cannot import or activate, and sees the reason', async it => {
  const made = await api(it.sluice, 'POST', '/user/tokens', {
    name: 'looks',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: '56b2af4817c84ad99187911dc3986c23' }],
        resources: { [`com.cloudflare.api.account.${it.accountId}`]: '*' },
      },
    ],
  })
  const page = await it.page({
    path: '/crs-releases',
    token: made.result.value,
    prepare: withUpstream('4.99.0'),
  })
  await page.getByText('CRS 4.99.0 is available').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  for (const name of ['Activate…', 'Import CRS 4.99.0']) {
    const button = page.getByRole('button', { name })
    await button.and(page.locator('[aria-disabled=true]')).waitFor()
    await button.focus()
    await page.getByText('Your token lacks “Account WAF Write” on the account.').waitFor()
  }
})

flow('zones show their releases', async it => {
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owasp, version: '2' } }
  const path = `/zones/${it.zoneId}/rulesets/phases/${managed}/entrypoint`
  assert.equal((await api(it.sluice, 'PUT', path, { rules: [rule] })).status, 200)
  const page = await it.page({ path: '/crs-releases' })
  const zones = page.getByRole('grid', { name: 'Zones and releases' })
  await zones.getByText('CRS 4.29.0, pinned').waitFor()
  await zones.getByText('latest').waitFor()
  await page.getByRole('textbox', { name: 'Search zones' }).fill('shop')
  await zones.getByText('localhost').waitFor({ state: 'detached' })
  await zones.getByText('none', { exact: true }).click()
  await page.getByRole('heading', { name: 'Start a shadow' }).waitFor()
})

flow('a shadow is started, reports its results, and is deleted', async it => {
  // The zone's own rules never act; its shadow does.
  const overrides = { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 900 }] }
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owasp, overrides } }
  const path = `/zones/${it.zoneId}/rulesets/phases/${managed}/entrypoint`
  assert.equal((await api(it.sluice, 'PUT', path, { rules: [rule] })).status, 200)
  const page = await it.page({ path: `/zones/${it.zoneId}/shadow` })
  await page.getByRole('combobox', { name: 'Release' }).selectOption({ label: 'CRS 4.29.0 (version 2)' })
  await page.getByRole('combobox', { name: 'Paranoia level' }).selectOption('PL2')
  await page.getByRole('button', { name: 'High (25)' }).click()
  await page.getByRole('slider').press('End')
  await page.getByText('Share of requests: 100 %').waitFor()
  await page.getByRole('button', { name: 'Start shadow' }).click()
  await page.getByRole('heading', { name: 'Shadow running' }).waitFor()
  await page
    .getByText('Evaluates 100 % of the requests with PL2 of CRS 4.29.0 (version 2) at threshold High (25).')
    .waitFor()
  const stored = (await api(it.sluice, 'GET', `/zones/${it.zoneId}/waf/shadow`)).result
  assert.deepEqual(
    [stored.enabled, stored.version, stored.paranoia_level, stored.score_threshold, stored.sample_rate],
    [true, '2', 2, 25, 1],
  )
  // The edge applies a change within a second; the report polls for new events.
  const requests = page.getByRole('grid', { name: 'Requests evaluated by the shadow' })
  for (let tries = 0; tries < 20 && !(await requests.isVisible()); tries++) {
    assert.equal((await it.visit(attack)).status, 200)
    await page.waitForTimeout(1500)
  }
  await requests.getByText('Shadow only').first().waitFor()
  await requests.getByRole('row').nth(1).click()
  const drawer = page.getByRole('dialog', { name: /^Ray / })
  await drawer.getByText(/threshold High \(25\)/).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await drawer.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('heading', { name: 'Shadow paused' }).waitFor()
  // Editing a paused shadow does not resume it.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Shadow paused' }).waitFor()
  assert.equal((await api(it.sluice, 'GET', `/zones/${it.zoneId}/waf/shadow`)).result.enabled, false)
  await looksWell(page, 'shadow')
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Start a shadow' }).waitFor()
  assert.equal((await api(it.sluice, 'GET', `/zones/${it.zoneId}/waf/shadow`)).status, 404)
})

flow('both release pages are accessible in every look', async it => {
  const page = await it.page({ path: '/crs-releases', prepare: withUpstream('4.99.0') })
  await page.getByText('CRS 4.99.0 is available').waitFor()
  await page.getByRole('grid', { name: 'Zones and releases' }).getByText('latest').first().waitFor()
  await looksWell(page, 'crs-releases')
  await page.getByRole('link', { name: 'Compare releases' }).click()
  await page.getByRole('grid', { name: 'Changed rules' }).getByText('913999').waitFor()
  await looksWell(page, 'crs-compare')
})
